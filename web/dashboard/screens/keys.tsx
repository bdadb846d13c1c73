import type { getKeys, Reply, rotateKey } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { call, problemOf } from '../call.ts'
import { CopyButton } from '../copy-button.tsx'
import { Field, type Fields, Form } from '../form.tsx'
import type { ScreenProps } from '../screen.ts'
import { moment } from '../texts.ts'
import { useReply } from '../use-reply.ts'
import { Pending } from '../waiting.tsx'

const KEYS: Address<typeof getKeys> = { method: 'GET', path: '/dashboard/api/keys' }
const ROTATE: Address<typeof rotateKey> = { method: 'POST', path: '/dashboard/api/keys/rotate' }
const OVERLAP_HOURS = '24'

type Keys = Reply<typeof getKeys>
type Made = Reply<typeof rotateKey>

/** By what the merchant's server is known. */
export default function KeysScreen({ me }: ScreenProps): JSX.Element {
  const { body, problem, again } = useReply(KEYS, {})
  const [made, setMade] = useState<Made>()
  if (body === undefined) return <Pending problem={problem} />
  const rotate = async ({ hours = '' }: Fields): Promise<string | undefined> => {
    const overlapHours = Number(hours)
    if (!Number.isInteger(overlapHours)) return 'Hours are a whole number.'
    const answer = await call(ROTATE, { body: { overlapHours } })
    if (answer.kind !== 'done') return problemOf(answer)
    setMade(answer.body)
    await again()
    return undefined
  }
  return (
    <div class="stack">
      <h1>Keys</h1>
      <div role="status">{made !== undefined && <NewKey made={made} forget={() => setMade(undefined)} />}</div>
      <Names body={body} />
      <SecretKeys keys={body.secretKeys} />
      {me.permissions.includes('keys.manage') && <Rotation rotate={rotate} />}
    </div>
  )
}

/** A new secret key, the one time that it is shown. */
const NewKey = ({ made, forget }: { readonly made: Made; readonly forget: () => void }): JSX.Element => (
  <section class="panel stack" aria-labelledby="new-key">
    <h2 id="new-key">Your new secret key</h2>
    <p>
      <span class="key">{made.secretKey}</span> <CopyButton text={made.secretKey} what="the secret key" />
    </p>
    <p class="quiet">
      Keep it where your server reads its secrets: nobody can show it again. Keys of before are valid until{' '}
      {moment(made.oldValidUntil)}.
    </p>
    <p>
      <button class="button plain fit" type="button" onClick={forget}>
        I have kept it
      </button>
    </p>
  </section>
)

const Names = ({ body: { apiKey, walletAccountNumber, contracts } }: { readonly body: Keys }): JSX.Element => (
  <section class="panel" aria-labelledby="names">
    <h2 id="names">How you call us</h2>
    <ul class="rows">
      <Name title="API key" value={apiKey} />
      {contracts.map(({ code, name, isDisabled }) => (
        <Name key={code} title={`Contract code, ${name}${isDisabled ? ' (disabled)' : ''}`} value={code} />
      ))}
      <Name title="Wallet’s account number" value={walletAccountNumber} />
    </ul>
  </section>
)

const Name = ({ title, value }: { readonly title: string; readonly value: string }): JSX.Element => (
  <li>
    <span>
      <small class="quiet">{title}</small>
      <br />
      <span class="key">{value}</span>
    </span>
    <CopyButton text={value} what={title} />
  </li>
)

const SecretKeys = ({ keys }: { readonly keys: Keys['secretKeys'] }): JSX.Element => (
  <section class="panel" aria-labelledby="secret-keys">
    <h2 id="secret-keys">Secret keys</h2>
    <ul class="rows">
      {keys.map(({ id, createdAt, firstUsedAt, expiresAt, isSigning }) => (
        <li key={id}>
          <span>
            Made {moment(createdAt)} {isSigning && <span class="badge">Signs events</span>}
            <br />
            <small class="quiet">
              {firstUsedAt === null ? 'Not used yet' : `First used ${moment(firstUsedAt)}`}
              {expiresAt === null ? '' : ` · ends ${moment(expiresAt)}`}
            </small>
          </span>
        </li>
      ))}
    </ul>
  </section>
)

interface RotationProps {
  readonly rotate: (fields: Fields) => Promise<string | undefined>
}

function Rotation({ rotate }: RotationProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const act = async (fields: Fields): Promise<string | undefined> => {
    const wrong = await rotate(fields)
    if (wrong === undefined) dialog.current?.close()
    return wrong
  }
  return (
    <>
      <p>
        <button class="button fit" type="button" onClick={() => dialog.current?.showModal()}>
          Make a new secret key
        </button>
      </p>
      <dialog class="dialog" ref={dialog} aria-labelledby="rotate-title">
        <div class="stack">
          <h2 id="rotate-title">Make a new secret key</h2>
          <p class="quiet">
            Both keys open the door for a while, so that your server can change over without a break. Events are signed
            with the new one from its first use on.
          </p>
          <Form act={act} submit="Make it" cancel={() => dialog.current?.close()}>
            <Field
              name="hours"
              label="Hours for which the old one stays valid"
              inputMode="numeric"
              value={OVERLAP_HOURS}
              hint="0 where somebody may have seen it: then it ends at once."
            />
          </Form>
        </div>
      </dialog>
    </>
  )
}
