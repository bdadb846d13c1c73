import type { getKeys, Reply, rotateKey } from '@kobo/contract'
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { call, problemOf } from '../api/call.ts'
import { useReply } from '../api/use-reply.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { DialogButton } from '../parts/dialog.tsx'
import { Field, type Fields, Form } from '../parts/form.tsx'
import { moment } from '../parts/format.ts'
import { LoadingOrError } from '../parts/placeholders.tsx'
import type { ScreenProps } from '../shell/screen.ts'
import { RestrictedKeys } from './keys/restricted-keys.tsx'

const OVERLAP_HOURS = '24'

type Keys = Reply<typeof getKeys>
type CreatedKey = Reply<typeof rotateKey>

/** The merchant's API keys and codes. */
export default function KeysScreen({ me }: ScreenProps): JSX.Element {
  const { body, problem, again } = useReply(routes.getKeys, {})
  const [created, setCreated] = useState<CreatedKey>()
  if (body === undefined) return <LoadingOrError problem={problem} />
  const rotate = async ({ overlapHours = '' }: Fields): Promise<string | undefined> => {
    if (!/^\d+$/.test(overlapHours)) return 'Enter a whole number of hours.'
    const result = await call(routes.rotateKey, { body: { overlapHours: Number(overlapHours) } })
    if (result.kind !== 'done') return problemOf(result)
    setCreated(result.body)
    await again()
    return undefined
  }
  return (
    <div class="stack">
      <h1>Keys</h1>
      <div role="status">
        {created !== undefined && <NewKey created={created} close={() => setCreated(undefined)} />}
      </div>
      <Identifiers body={body} />
      <SecretKeys keys={body.secretKeys}>
        {me.permissions.includes('keys.manage') && <Rotation rotate={rotate} />}
      </SecretKeys>
      <RestrictedKeys me={me} keys={body.restrictedKeys} again={again} />
    </div>
  )
}

/** A new secret key. It is shown only this once. */
const NewKey = ({ created, close }: { readonly created: CreatedKey; readonly close: () => void }): JSX.Element => (
  <section class="panel stack" aria-labelledby="new-key">
    <h2 id="new-key">Your new secret key</h2>
    <p>
      <span class="key">{created.secretKey}</span> <CopyButton text={created.secretKey} what="the secret key" />
    </p>
    <p class="quiet">
      Store it with your server’s secrets now: we can’t show it again. Your old key stops working on{' '}
      {moment(created.oldValidUntil)}.
    </p>
    <p>
      <button class="button plain fit" type="button" onClick={close}>
        I’ve saved it
      </button>
    </p>
  </section>
)

const Identifiers = ({ body: { apiKey, walletAccountNumber, contracts } }: { readonly body: Keys }): JSX.Element => (
  <section class="panel" aria-labelledby="identifiers">
    <h2 id="identifiers">API credentials</h2>
    <ul class="rows">
      <Identifier title="API key" value={apiKey} />
      {contracts.map(({ code, name, isDisabled }) => (
        <Identifier key={code} title={`Contract code, ${name}${isDisabled ? ' (disabled)' : ''}`} value={code} />
      ))}
      <Identifier title="Wallet account number" value={walletAccountNumber} />
    </ul>
  </section>
)

const Identifier = ({ title, value }: { readonly title: string; readonly value: string }): JSX.Element => (
  <li>
    <span>
      <small class="quiet">{title}</small>
      <br />
      <span class="key">{value}</span>
    </span>
    <CopyButton text={value} what={title} />
  </li>
)

interface SecretKeysProps {
  readonly keys: Keys['secretKeys']
  readonly children: ComponentChildren
}

const SecretKeys = ({ keys, children }: SecretKeysProps): JSX.Element => (
  <section class="panel" aria-labelledby="secret-keys">
    <h2 id="secret-keys">Secret keys</h2>
    <ul class="rows">
      {keys.map(({ id, createdAt, firstUsedAt, expiresAt, isSigning }) => (
        <li key={id}>
          <span>
            Created {moment(createdAt)} {isSigning && <span class="badge">Signs webhooks</span>}
            <br />
            <small class="quiet">
              {firstUsedAt === null ? 'Not used yet' : `First used ${moment(firstUsedAt)}`}
              {expiresAt === null ? '' : ` · expires ${moment(expiresAt)}`}
            </small>
          </span>
        </li>
      ))}
    </ul>
    {children}
  </section>
)

interface RotationProps {
  readonly rotate: (fields: Fields) => Promise<string | undefined>
}

const Rotation = ({ rotate }: RotationProps): JSX.Element => (
  <p>
    <DialogButton look="button fit" label="Create secret key" title="Create secret key">
      {(close) => (
        <>
          <p class="quiet">
            Both keys work until the overlap ends, so you can switch without downtime. Webhooks are signed with the new
            key once you have used it.
          </p>
          <Form
            act={async (fields) => {
              const problem = await rotate(fields)
              if (problem === undefined) close()
              return problem
            }}
            submit="Create key"
            cancel={close}
          >
            <Field
              name="overlapHours"
              label="Hours the old key stays valid"
              inputMode="numeric"
              value={OVERLAP_HOURS}
              hint="Enter 0 if there is no old key, or to stop it at once because it may have leaked."
            />
          </Form>
        </>
      )}
    </DialogButton>
  </p>
)
