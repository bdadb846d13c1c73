import type {
  addPasskey,
  beginPasskey,
  beginTotp,
  changePassword,
  changeProfile,
  confirmTotp,
  endOtherSessions,
  endSession,
  forgetDevice,
  getProfile,
  Reply,
  removeSecondFactor,
  renewBackupCodes,
} from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Qr } from '../../ui/qr.tsx'
import { type Answer, call, problemOf } from '../call.ts'
import { Field, type Fields, Form } from '../form.tsx'
import { hasPasskeys, makePasskey } from '../passkeys.ts'
import { Reports } from '../reports.tsx'
import type { ScreenProps } from '../screen.ts'
import { agentText, moment } from '../texts.ts'
import { useReply } from '../use-reply.ts'
import { Pending } from '../waiting.tsx'

const PROFILE: Address<typeof getProfile> = { method: 'GET', path: '/dashboard/api/profile' }
const CHANGE: Address<typeof changeProfile> = { method: 'PUT', path: '/dashboard/api/profile' }
const PASSWORD: Address<typeof changePassword> = { method: 'POST', path: '/dashboard/api/profile/password' }
const BEGIN: Address<typeof beginTotp> = { method: 'POST', path: '/dashboard/api/profile/totp' }
const CONFIRM: Address<typeof confirmTotp> = { method: 'POST', path: '/dashboard/api/profile/totp/:id/confirm' }
const BEGIN_PASSKEY: Address<typeof beginPasskey> = { method: 'POST', path: '/dashboard/api/profile/passkeys/begin' }
const ADD_PASSKEY: Address<typeof addPasskey> = { method: 'POST', path: '/dashboard/api/profile/passkeys' }
const REMOVE: Address<typeof removeSecondFactor> = {
  method: 'DELETE',
  path: '/dashboard/api/profile/second-factors/:id',
}
const CODES: Address<typeof renewBackupCodes> = { method: 'POST', path: '/dashboard/api/profile/backup-codes' }
const END: Address<typeof endSession> = { method: 'DELETE', path: '/dashboard/api/profile/sessions/:id' }
const END_OTHERS: Address<typeof endOtherSessions> = { method: 'DELETE', path: '/dashboard/api/profile/sessions' }
const FORGET: Address<typeof forgetDevice> = { method: 'DELETE', path: '/dashboard/api/profile/devices/:id' }

type Own = Reply<typeof getProfile>

interface PartProps {
  readonly own: Own
  /** Shows what came of an act, and asks for all of it anew; answers what was wrong. */
  readonly settle: (answer: Answer<unknown>) => Promise<string | undefined>
  readonly act: (calling: Promise<Answer<unknown>>) => void
}

/** What is one's own: name, password, second factors, where one is signed in. */
export default function Profile({ me, refresh }: ScreenProps): JSX.Element {
  const { body, problem, again } = useReply(PROFILE, {})
  const [wrong, setWrong] = useState<string>()
  const settle = async (answer: Answer<unknown>): Promise<string | undefined> => {
    await Promise.all([again(), refresh()])
    return answer.kind === 'done' ? undefined : problemOf(answer)
  }
  const act = (calling: Promise<Answer<unknown>>): void => void calling.then(settle).then(setWrong)
  if (body === undefined) return <Pending problem={problem} />
  const props = { own: body, settle, act }
  return (
    <div class="stack">
      <h1>Your profile</h1>
      {me.stage === 'enrolment' && (
        <p class="notice warn">Before you go on, set up a second factor: nobody is in without one.</p>
      )}
      <div role="alert">{wrong !== undefined && <p class="notice bad">{wrong}</p>}</div>
      <SecondFactors {...props} me={me} />
      {me.stage === 'in' && (
        <>
          <section class="panel stack" aria-labelledby="you">
            <h2 id="you">You</h2>
            <p class="quiet">{me.email}</p>
            <Form act={async ({ name = '' }) => settle(await call(CHANGE, { body: { name } }))} submit="Save">
              <Field name="name" label="Name" value={me.name} autocomplete="name" />
            </Form>
          </section>
          {me.permissions.includes('balances.read') && <Reports />}
          <Password {...props} />
          <Sessions {...props} />
        </>
      )}
    </div>
  )
}

function Password({ settle }: PartProps): JSX.Element {
  const [isDone, setDone] = useState(false)
  const act = async ({ current = '', password = '' }: Fields): Promise<string | undefined> => {
    const wrong = await settle(await call(PASSWORD, { body: { current, password } }))
    setDone(wrong === undefined)
    return wrong
  }
  return (
    <section class="panel stack" aria-labelledby="password">
      <h2 id="password">Password</h2>
      <div role="status">
        {isDone && <p class="notice">Your password is changed. You are signed out everywhere else.</p>}
      </div>
      <Form act={act} submit="Change it">
        <Field name="current" label="Present password" type="password" autocomplete="current-password" />
        <Field name="password" label="New password" type="password" autocomplete="new-password" minLength={10} />
      </Form>
    </section>
  )
}

function SecondFactors({ own, act, settle, me }: PartProps & Pick<ScreenProps, 'me'>): JSX.Element {
  const [begun, setBegun] = useState<Reply<typeof beginTotp>>()
  const [codes, setCodes] = useState<readonly string[]>()
  const begin = async (): Promise<void> => {
    const answer = await call(BEGIN, { body: {} })
    if (answer.kind === 'done') setBegun(answer.body)
    else act(Promise.resolve(answer))
  }
  const confirm = async ({ code = '' }: Fields): Promise<string | undefined> => {
    const answer = await call(CONFIRM, { params: { id: begun?.id ?? '' }, body: { code } })
    if (answer.kind !== 'done') return problemOf(answer)
    setBegun(undefined)
    setCodes(answer.body.backupCodes ?? undefined)
    return settle(answer)
  }
  const addKey = async (): Promise<void> => {
    const begunKey = await call(BEGIN_PASSKEY, {})
    if (begunKey.kind !== 'done') return act(Promise.resolve(begunKey))
    const made = await makePasskey(begunKey.body, me)
    if (made === undefined) return
    const name = `Passkey on ${agentText(navigator.userAgent)}`
    const answer = await call(ADD_PASSKEY, { body: { name, ...made } })
    if (answer.kind === 'done') setCodes(answer.body.backupCodes ?? undefined)
    act(Promise.resolve(answer))
  }
  const renew = async (): Promise<void> => {
    const answer = await call(CODES, {})
    if (answer.kind === 'done') setCodes(answer.body.backupCodes)
    act(Promise.resolve(answer))
  }
  return (
    <section class="panel stack" aria-labelledby="second-factors">
      <h2 id="second-factors">Second factors</h2>
      {own.secondFactors.length === 0 && begun === undefined && (
        <p class="quiet">
          A program on your phone that shows six digits, new ones every half minute, or a passkey of this machine.
        </p>
      )}
      <ul class="rows">
        {own.secondFactors.map(({ id, name, createdAt }) => (
          <li key={id}>
            <span>
              <b>{name}</b>
              <br />
              <small class="quiet">since {moment(createdAt)}</small>
            </span>
            <button class="link danger" type="button" onClick={() => act(call(REMOVE, { params: { id } }))}>
              Remove<span class="unseen"> {name}</span>
            </button>
          </li>
        ))}
      </ul>
      {codes !== undefined && <BackupCodes codes={codes} />}
      {begun === undefined ? (
        <Additions own={own} begin={begin} addKey={addKey} renew={renew} />
      ) : (
        <NewAuthenticator begun={begun} confirm={confirm} cancel={() => setBegun(undefined)} />
      )}
    </section>
  )
}

interface AdditionsProps {
  readonly own: Own
  readonly begin: () => Promise<void>
  readonly addKey: () => Promise<void>
  readonly renew: () => Promise<void>
}

/** What can be added to one's second factors. */
const Additions = ({ own, begin, addKey, renew }: AdditionsProps): JSX.Element => (
  <div class="beside-each-other">
    <button class="button fit" type="button" onClick={() => void begin()}>
      {own.secondFactors.length === 0 ? 'Set up an authenticator' : 'Add another one'}
    </button>
    {hasPasskeys() && (
      <button class="button plain fit" type="button" onClick={() => void addKey()}>
        Add a passkey
      </button>
    )}
    {own.secondFactors.length > 0 && (
      <button class="link" type="button" onClick={() => void renew()}>
        New backup codes ({own.backupCodesLeft} left)
      </button>
    )}
  </div>
)

interface NewAuthenticatorProps {
  readonly begun: Reply<typeof beginTotp>
  readonly confirm: (fields: Fields) => Promise<string | undefined>
  readonly cancel: () => void
}

/** The key of a new authenticator, which counts once it has shown a code. */
const NewAuthenticator = ({ begun, confirm, cancel }: NewAuthenticatorProps): JSX.Element => (
  <>
    <p>Scan this with your authenticator, or write the key into it.</p>
    <Qr text={begun.address} label="The key as a QR code" />
    <p class="key">{begun.secret.replace(/(.{4})/g, '$1 ').trim()}</p>
    <Form act={confirm} submit="Confirm" cancel={cancel}>
      <Field name="code" label="Code that it shows" autocomplete="one-time-code" inputMode="numeric" autofocus />
    </Form>
  </>
)

const BackupCodes = ({ codes }: { readonly codes: readonly string[] }): JSX.Element => (
  <div class="notice warn stack" role="status">
    <p>
      <b>Keep these backup codes</b> where you find them without your phone. Each leads in once; they are not shown
      again.
    </p>
    <ul class="codes">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
  </div>
)

function Sessions({ own, act }: PartProps): JSX.Element {
  return (
    <section class="panel stack" aria-labelledby="sessions">
      <h2 id="sessions">Where you are signed in</h2>
      <ul class="rows">
        {own.sessions.map(({ id, isThis, agent, address, lastSeenAt }) => (
          <li key={id}>
            <span>
              <b>{agentText(agent)}</b> {isThis && <span class="badge">this one</span>}
              <br />
              <small class="quiet">
                {address}, {moment(lastSeenAt)}
              </small>
            </span>
            {!isThis && (
              <button class="link danger" type="button" onClick={() => act(call(END, { params: { id } }))}>
                Sign out<span class="unseen"> {agentText(agent)}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {own.sessions.length > 1 && (
        <button class="button plain fit" type="button" onClick={() => act(call(END_OTHERS, {}))}>
          Sign out everywhere else
        </button>
      )}
      <h2>Browsers that are known</h2>
      <p class="quiet small">One that is known is not held up when somebody guesses your password elsewhere.</p>
      <ul class="rows">
        {own.devices.map(({ id, isThis, agent, lastAt }) => (
          <li key={id}>
            <span>
              <b>{agentText(agent)}</b> {isThis && <span class="badge">this one</span>}
              <br />
              <small class="quiet">{moment(lastAt)}</small>
            </span>
            <button class="link danger" type="button" onClick={() => act(call(FORGET, { params: { id } }))}>
              Forget<span class="unseen"> {agentText(agent)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
