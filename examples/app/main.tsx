import { createApp, type LiveDevice, type LiveHome, type Me, type MyInvitation } from '@mooring/app';
import { useEffect, useReducer, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { type Fields, Form } from './form.tsx';

// In your app: createApp({ url: 'https://mooring.example.com', app: 'thermo@prj_…' }).
const query = new URLSearchParams(location.search);
const app = createApp({ url: query.get('url') ?? location.origin, app: query.get('app') ?? '' });

function Main() {
  const [user, setUser] = useState<Me>();
  useEffect(() => {
    app.user().then(setUser);
    return app.onSession(({ user: now }) => setUser(now));
  }, []);
  return (
    <main>
      <h1>Lamps</h1>
      {user ? <Homes key={user.id} /> : <SignIn />}
      {user && <Form act={`Sign out ${user.email ?? user.name}`} to={() => app.signOut()} />}
    </main>
  );
}

function SignIn() {
  const [account, setAccount] = useState<Fields>();
  const [expired, setExpired] = useState<Fields>();
  const signIn = ({ email = '', password = '' }: Fields) =>
    app.signIn(email, password).catch(error => {
      if (error.reason !== 'PASSWORD_EXPIRED') throw error;
      setExpired({ email, password });
    });
  /** The password has expired, or was set by somebody else. */
  const renew = async ({ newPassword = '' }: Fields) => {
    const { email = '', password: oldPassword = '' } = expired ?? {};
    await app.call('changeUserPassword', { body: { email, oldPassword, newPassword } });
    await app.signIn(email, newPassword);
  };
  const register = async ({ email = '', password = '' }: Fields) => {
    await app.register({ email, password });
    setAccount({ email, password });
  };
  const verify = async ({ code = '' }: Fields) => {
    await app.verify({ email: account?.email ?? '', code });
    await signIn(account ?? {});
  };
  if (expired) return <Form act="Change password" to={renew} fields={{ newPassword: 'New password' }} />;
  if (account) return <Form act="Verify" to={verify} fields={{ code: 'Code from the e-mail' }} />;
  const fields = { email: 'E-mail', password: 'Password' };
  return [
    <Form key={1} act="Register" to={register} fields={fields} />,
    <Form key={2} act="Sign in" to={signIn} fields={fields} />,
  ];
}

/** The first home of the user, or the forms to get one. */
function Homes() {
  const [id, open] = useState<string>();
  const [home, setHome] = useState<LiveHome>();
  const [invitations, setInvitations] = useState<MyInvitation[]>([]);
  useEffect(() => {
    const read = () => {
      app.homes().then(([first]) => open(known => known ?? first?.id));
      app.invitations().then(setInvitations);
    };
    read();
    return app.onReset(read);
  }, []);
  useEffect(() => {
    const opened = id === undefined ? undefined : app.openHome(id);
    opened?.then(setHome);
    return () => void opened?.then(it => it.close());
  }, [id]);
  if (home) return <Home home={home} />;
  const create = async ({ name = '' }: Fields) => open((await app.createHome(name)).id);
  const join = async (invitationId: string) => open((await app.accept({ invitationId })).id);
  return [
    ...invitations.map(one => <Form key={one.id} act={`Join ${one.home.name}`} to={() => join(one.id)} />),
    <Form key="new" act="Create home" to={create} fields={{ name: 'Name' }} />,
  ];
}

function Home({ home }: { home: LiveHome }) {
  const [, redraw] = useReducer(count => count + 1, 0);
  useEffect(() => home.onChange(redraw), [home]);
  if (!home.isOpen) return <p>You are no longer a member of this home.</p>;
  const { name, rights } = home.about;
  const until = () => new Date(Date.now() + 24 * 3_600_000).toISOString();
  const guestOf = (deviceId: string) => ({ devices: [{ deviceId, mayControl: false }], until: until() });
  const invite = ({ email = '', as = '' }: Fields) =>
    home.invite(as === '' ? { email, role: 'member' } : { email, role: 'guest', guest: guestOf(as) });
  return (
    <>
      <h2>{name}</h2>
      <ul>
        {home.devices.map(device => (
          <Lamp key={device.id} lamp={device} />
        ))}
      </ul>
      {rights.includes('configure') && (
        <Form act="Add device" to={({ code = '' }) => home.claim(code)} fields={{ code: 'Claim code' }} />
      )}
      {rights.includes('invite') && (
        <Form act="Invite" to={invite} fields={{ email: 'E-mail' }}>
          <select name="as" aria-label="As">
            <option value="">member</option>
            {home.devices.map(({ id, about }) => (
              <option key={id} value={id}>
                guest of {about.name} until tomorrow
              </option>
            ))}
          </select>
        </Form>
      )}
    </>
  );
}

function Lamp({ lamp }: { lamp: LiveDevice }) {
  const [error, setError] = useState('');
  const turn = (on: boolean) =>
    lamp.set({ on }).then(
      () => setError(''),
      thrown => setError(thrown.message),
    );
  const isOn = lamp.shown.on === true;
  const mayTurn = lamp.about.rights.includes('control');
  return (
    <li>
      {lamp.about.name} is {lamp.isConnected ? 'connected' : 'offline'} and reports{' '}
      {lamp.reported.on === true ? 'on' : 'off'}
      <input
        type="checkbox"
        aria-label="Light"
        checked={isOn}
        disabled={!mayTurn}
        onChange={() => turn(!isOn)}
      />
      {error && <p role="alert">{error}</p>}
    </li>
  );
}

const place = document.getElementById('app');
if (place) createRoot(place).render(<Main />);
