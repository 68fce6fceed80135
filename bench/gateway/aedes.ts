import { createServer } from 'node:net';
import { Aedes } from 'aedes';

const broker = await Aedes.createBroker();
createServer(broker.handle).listen({ host: '127.0.0.1', port: Number(process.argv[2]), backlog: 4096 });
