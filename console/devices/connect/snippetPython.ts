import type { SnippetFor } from './snippets.ts';

export function pythonSnippet(given: SnippetFor): string {
  return `${headOf(given, 'import json')}

def on_connect(client, *_):
    topics = ["desired", "commands/+", "state/rejected", "rejected"]
    client.subscribe([(f"d/{DEVICE}/{topic}", 1) for topic in topics])
    say("state", {"temperature": 21.5})

def on_message(client, _, message):
    print(message.topic, message.payload.decode())
    if "/commands/" in message.topic:
        command = json.loads(message.payload)
        say(f"results/{command['id']}", {"ok": True})

${tailOf(given)}`;
}

/** Uses everything a device can send, and answers what it receives. */
export function everyPythonSnippet(given: SnippetFor): string {
  return `${headOf(given, 'import gzip, json, time, urllib.request')}

def on_connect(client, *_):
    client.subscribe(f"d/{DEVICE}/#", qos=1)
    say("state", {"temperature": 21.5})
    say("events/door", {"open": True, "_alert": {"severity": "warning", "text": "The door is open."}})
    say("entities", [{"name": "lamp-1", "class": "lamp", "state": {"on": True}}])
    say("installed", {"components": [{"component": "main", "version": "1.2.0"}]})
    say("progress", {"state": "downloading", "percent": 40, "component": "main"})
    say("log", {"level": 2, "text": "wifi: connected"}, qos=0)  # the live log is not stored

def on_message(client, _, message):
    topic = message.topic.split("/", 2)[2]
    payload = json.loads(message.payload)
    print(topic, payload)
    if topic == "desired":
        say("state", payload["desired"])  # once it is done
    elif topic.startswith("commands/"):
        say(f"results/{payload['id']}", {"ok": True, "result": payload["args"]})
    elif topic.startswith("logRequests/"):
        line = {"ts": time.strftime("%FT%TZ", time.gmtime()), "level": 2, "text": "wifi: connected"}
        log = gzip.compress((json.dumps(line) + "\\n").encode())
        urllib.request.urlopen(urllib.request.Request(payload["uploadUrl"], data=log, method="PUT"))

${tailOf(given)}`;
}

function headOf({ deviceId }: SnippetFor, imports: string): string {
  return `# Save this as device.py and run it: python3 device.py
# It needs paho: pip install paho-mqtt, or apt install python3-paho-mqtt and /usr/bin/python3
${imports}
import paho.mqtt.client as mqtt

DEVICE = "${deviceId}"

def say(topic, payload, qos=1):
    client.publish(f"d/{DEVICE}/{topic}", json.dumps(payload), qos=qos)`;
}

/** paho version 2 asks for a callback API version; version 1 has only one. */
function tailOf({ gateway, apiKey }: SnippetFor): string {
  const { host, port, tls } = gateway.mqtt ?? { host: 'localhost', port: 1883, tls: false };
  return `versions = getattr(mqtt, "CallbackAPIVersion", None)
# With the device id as client id, the device takes over from its old connection after a power cut
client = mqtt.Client(versions.VERSION2, DEVICE) if versions else mqtt.Client(DEVICE)
client.username_pw_set(DEVICE, "${apiKey}")
${tls ? 'client.tls_set()\n' : ''}client.on_connect = on_connect
client.on_message = on_message
client.connect("${host}", ${port}, keepalive=60)
client.loop_forever()
`;
}
