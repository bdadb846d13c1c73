import type { beginTotp, getProfile, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { Qr } from '../../ui/qr.tsx'
import { type CallResult, call, problemOf } from '../api/call.ts'
import { useReply } from '../api/use-reply.ts'
import { ConfirmButton } from '../parts/dialog.tsx'
import { Field, type Fields, Form } from '../parts/form.tsx'
import { agentText, moment } from '../parts/format.ts'
import { LoadingOrError } from '../parts/placeholders.tsx'
import type { ScreenProps } from '../shell/screen.ts'
import { createPasskey, hasPasskeys } from '../sign-in/passkeys.ts'
import { CommandLine } from './profile/command-line.tsx'
import { EmailReports } from './profile/email-reports.tsx'
import { NotificationChoices } from './profile/notification-choices.tsx'

type ProfileData = Reply<typeof getProfile>

interface PartProps {
  readonly profile: ProfileData
  /** Reloads the profile after a change; returns the problem if the change failed. */
  readonly settle: (result: CallResult<unknown>) => Promise<string | undefined>
  readonly run: (request: Promise<CallResult<unknown>>) => void
}

/** The user's own account; only a note if the user signed in through a team's identity provider. */
export default function Profile(props: ScreenProps): JSX.Element {
  const { me } = props
  return me.signOn?.isConfined === true ? <TeamOnly me={me} /> : <Account {...props} />
}

/** Shown to a user who signed in through a team's identity provider, which gives no access to the user's account. */
function TeamOnly({ me }: Pick<ScreenProps, 'me'>): JSX.Element {
  const [isSent, setSent] = useState(false)
  const send = async (): Promise<string | undefined> => {
    const response = await call(routes.requestReset, { body: { email: me.email } })
    setSent(response.kind === 'done')
    return response.kind === 'done' ? undefined : problemOf(response)
  }
  return (
    <div class="stack">
      <h1>Your profile</h1>
      {me.stage === 'enrolment' && (
        <p class="notice warn">Two-factor authentication is required. Set up a second factor to continue.</p>
      )}
      <section class="panel stack" aria-labelledby="account">
        <h2 id="account">Your account</h2>
        <p>
          {me.name}, {me.email}
        </p>
        <p class="quiet">
          You signed in through your team’s identity provider. To set up a second factor or change your account, sign in
          with a link that we email to you.
        </p>
        <div role="status">{isSent && <p class="notice">Link sent. It works once and expires in an hour.</p>}</div>
        <Form act={send} submit="Email me a link">
          {null}
        </Form>
      </section>
      {me.stage === 'in' && me.permissions.includes('money.read') && <NotificationChoices />}
      {me.stage === 'in' && me.permissions.includes('balances.read') && <EmailReports />}
      {me.stage === 'in' && me.permissions.includes('operator.manage') && <CommandLine />}
    </div>
  )
}

/** Name, password, second factors, sessions and trusted browsers. */
function Account({ me, refresh }: ScreenProps): JSX.Element {
  const { body, problem, again } = useReply(routes.getProfile, {})
  const [failure, setFailure] = useState<string>()
  const settle = async (result: CallResult<unknown>): Promise<string | undefined> => {
    await Promise.all([again(), refresh()])
    return result.kind === 'done' ? undefined : problemOf(result)
  }
  const run = (request: Promise<CallResult<unknown>>): void => void request.then(settle).then(setFailure)
  if (body === undefined) return <LoadingOrError problem={problem} />
  const props = { profile: body, settle, run }
  return (
    <div class="stack">
      <h1>Your profile</h1>
      {me.stage === 'enrolment' && (
        <p class="notice warn">Two-factor authentication is required. Set up a second factor to continue.</p>
      )}
      <div role="alert">{failure !== undefined && <p class="notice bad">{failure}</p>}</div>
      <SecondFactors {...props} me={me} />
      {me.stage === 'in' && (
        <>
          <section class="panel stack" aria-labelledby="you">
            <h2 id="you">Your details</h2>
            <p class="quiet">{me.email}</p>
            <Form
              act={async ({ name = '' }) => settle(await call(routes.changeProfile, { body: { name } }))}
              submit="Save"
            >
              <Field name="name" label="Name" value={me.name} autocomplete="name" />
            </Form>
          </section>
          {me.permissions.includes('money.read') && <NotificationChoices />}
          {me.permissions.includes('balances.read') && <EmailReports />}
          {me.permissions.includes('operator.manage') && <CommandLine />}
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
    const problem = await settle(await call(routes.changePassword, { body: { current, password } }))
    setDone(problem === undefined)
    return problem
  }
  return (
    <section class="panel stack" aria-labelledby="password">
      <h2 id="password">Password</h2>
      <div role="status">{isDone && <p class="notice">Password changed. You are signed out everywhere else.</p>}</div>
      <Form act={act} submit="Change password">
        <Field name="current" label="Current password" type="password" autocomplete="current-password" />
        <Field name="password" label="New password" type="password" autocomplete="new-password" minLength={12} />
      </Form>
    </section>
  )
}

function SecondFactors({ profile, run, settle, me }: PartProps & Pick<ScreenProps, 'me'>): JSX.Element {
  const [setup, setSetup] = useState<Reply<typeof beginTotp>>()
  const [codes, setCodes] = useState<readonly string[]>()
  const startSetup = async (): Promise<void> => {
    const result = await call(routes.beginTotp, { body: {} })
    if (result.kind === 'done') setSetup(result.body)
    else run(Promise.resolve(result))
  }
  const confirm = async ({ code = '' }: Fields): Promise<string | undefined> => {
    const result = await call(routes.confirmTotp, { params: { id: setup?.id ?? '' }, body: { code } })
    if (result.kind !== 'done') return problemOf(result)
    setSetup(undefined)
    setCodes(result.body.backupCodes ?? undefined)
    return settle(result)
  }
  const addPasskey = async (): Promise<void> => {
    const options = await call(routes.beginPasskey, {})
    if (options.kind !== 'done') return run(Promise.resolve(options))
    const passkey = await createPasskey(options.body, me)
    if (passkey === undefined) return
    const name = `Passkey on ${agentText(navigator.userAgent)}`
    const result = await call(routes.addPasskey, { body: { name, ...passkey } })
    if (result.kind === 'done') setCodes(result.body.backupCodes ?? undefined)
    run(Promise.resolve(result))
  }
  const renewCodes = async (): Promise<void> => {
    const result = await call(routes.renewBackupCodes, {})
    if (result.kind === 'done') setCodes(result.body.backupCodes)
    run(Promise.resolve(result))
  }
  return (
    <section class="panel stack" aria-labelledby="second-factors">
      <h2 id="second-factors">Second factors</h2>
      {profile.secondFactors.length === 0 && setup === undefined && (
        <p class="quiet">Use an authenticator app or a passkey on this device.</p>
      )}
      <ul class="rows">
        {profile.secondFactors.map(({ id, name, createdAt }) => (
          <li key={id}>
            <span>
              <b>{name}</b>
              <br />
              <small class="quiet">Added {moment(createdAt)}</small>
            </span>
            <ConfirmButton
              look="link danger"
              label={
                <>
                  Remove<span class="unseen"> {name}</span>
                </>
              }
              title={`Remove ${name}?`}
              text="You can no longer sign in or confirm actions with it."
              confirm="Remove"
              act={() => run(call(routes.removeSecondFactor, { params: { id } }))}
            />
          </li>
        ))}
      </ul>
      {codes !== undefined && <BackupCodes codes={codes} />}
      {setup === undefined ? (
        <AddFactorButtons profile={profile} startSetup={startSetup} addPasskey={addPasskey} renewCodes={renewCodes} />
      ) : (
        <NewAuthenticator setup={setup} confirm={confirm} cancel={() => setSetup(undefined)} />
      )}
    </section>
  )
}

interface AddFactorProps {
  readonly profile: ProfileData
  readonly startSetup: () => Promise<void>
  readonly addPasskey: () => Promise<void>
  readonly renewCodes: () => Promise<void>
}

/** Buttons to add a second factor or renew the backup codes. */
const AddFactorButtons = ({ profile, startSetup, addPasskey, renewCodes }: AddFactorProps): JSX.Element => (
  <div class="actions">
    <button class="button fit" type="button" onClick={() => void startSetup()}>
      {profile.secondFactors.length === 0 ? 'Set up authenticator app' : 'Add authenticator app'}
    </button>
    {hasPasskeys() && (
      <button class="button plain fit" type="button" onClick={() => void addPasskey()}>
        Add passkey
      </button>
    )}
    {profile.secondFactors.length > 0 && (
      <ConfirmButton
        look="link"
        label={`Create new backup codes (${profile.backupCodesLeft} left)`}
        title="Create new backup codes?"
        text="The codes that you have saved stop working."
        confirm="Create new codes"
        act={() => void renewCodes()}
      />
    )}
  </div>
)

interface NewAuthenticatorProps {
  readonly setup: Reply<typeof beginTotp>
  readonly confirm: (fields: Fields) => Promise<string | undefined>
  readonly cancel: () => void
}

/** The setup of an authenticator app. It takes effect once the user enters a code from it. */
const NewAuthenticator = ({ setup, confirm, cancel }: NewAuthenticatorProps): JSX.Element => (
  <>
    <p>Scan this code with your authenticator app, or enter the key by hand.</p>
    <Qr text={setup.address} label="The key as a QR code" />
    <p class="key">{setup.secret.replace(/(.{4})/g, '$1 ').trim()}</p>
    <Form act={confirm} submit="Confirm" cancel={cancel}>
      <Field name="code" label="Code from the app" autocomplete="one-time-code" inputMode="numeric" autofocus />
    </Form>
  </>
)

const BackupCodes = ({ codes }: { readonly codes: readonly string[] }): JSX.Element => (
  <div class="notice warn stack" role="status">
    <p>
      <b>Save these backup codes</b> somewhere other than your phone. Each one works once. We won’t show them again.
    </p>
    <ul class="codes">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
  </div>
)

function Sessions({ profile, run }: PartProps): JSX.Element {
  return (
    <section class="panel stack" aria-labelledby="sessions">
      <h2 id="sessions">Active sessions</h2>
      <ul class="rows">
        {profile.sessions.map(({ id, isThis, agent, address, lastSeenAt }) => (
          <li key={id}>
            <span>
              <b>{agentText(agent)}</b> {isThis && <span class="badge">This browser</span>}
              <br />
              <small class="quiet">
                {address}, {moment(lastSeenAt)}
              </small>
            </span>
            {!isThis && (
              <ConfirmButton
                look="link danger"
                label={
                  <>
                    Sign out<span class="unseen"> {agentText(agent)}</span>
                  </>
                }
                title={`Sign out ${agentText(agent)}?`}
                text="That browser must sign in again."
                confirm="Sign out"
                act={() => run(call(routes.endSession, { params: { id } }))}
              />
            )}
          </li>
        ))}
      </ul>
      {profile.sessions.length > 1 && (
        <ConfirmButton
          look="button plain fit"
          label="Sign out everywhere else"
          title="Sign out everywhere else?"
          text="Your other browsers must sign in again. This browser stays signed in."
          confirm="Sign out"
          act={() => run(call(routes.endOtherSessions, {}))}
        />
      )}
      <TrustedBrowsers profile={profile} run={run} />
    </section>
  )
}

const TrustedBrowsers = ({ profile, run }: Pick<PartProps, 'profile' | 'run'>): JSX.Element => (
  <>
    <h2>Trusted browsers</h2>
    <p class="quiet small">From these browsers you can sign in even while failed attempts have locked your account.</p>
    <ul class="rows">
      {profile.devices.map(({ id, isThis, agent, lastAt }) => (
        <li key={id}>
          <span>
            <b>{agentText(agent)}</b> {isThis && <span class="badge">This browser</span>}
            <br />
            <small class="quiet">{moment(lastAt)}</small>
          </span>
          <ConfirmButton
            look="link danger"
            label={
              <>
                Forget<span class="unseen"> {agentText(agent)}</span>
              </>
            }
            title={isThis ? 'Forget this browser?' : `Forget ${agentText(agent)}?`}
            text={`${isThis ? 'You are' : 'It is'} signed out, and can’t sign in while failed attempts lock your account.`}
            confirm="Forget"
            act={() => run(call(routes.forgetDevice, { params: { id } }))}
          />
        </li>
      ))}
    </ul>
  </>
)
