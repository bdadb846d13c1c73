import type { createRestrictedKey, getKeys, Reply, Scope } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../../routes.ts'
import { call, problemOf } from '../../api/call.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { ConfirmButton, DialogButton } from '../../parts/dialog.tsx'
import { Field, type Fields, Form } from '../../parts/form.tsx'
import { moment } from '../../parts/format.ts'
import type { ScreenProps } from '../../shell/screen.ts'

/** The rights that a key can have. */
const SCOPE_TEXTS: Readonly<Record<Scope, string>> = {
  'collect.make': 'Take payments',
  'money.read': 'Read lists, with customer data hidden',
  'payer.read': 'Read payments and customers',
  'balances.read': 'Read balances and settlements',
  'payout.read': 'Read payouts',
  'payout.make': 'Send payouts',
  'refund.make': 'Refund',
  'identity.verify': 'Verify BVN and NIN',
  'terms.manage': 'Change sub accounts and splits',
  'developer.read': 'Read events and requests',
  'developer.manage': 'Resend events, change settings',
  'sandbox.use': 'Use the sandbox',
}
const SCOPES = Object.keys(SCOPE_TEXTS) as Scope[]

type Key = Reply<typeof getKeys>['restrictedKeys'][number]

interface Props extends Pick<ScreenProps, 'me'> {
  readonly keys: readonly Key[]
  /** Reloads the keys. */
  readonly again: () => Promise<unknown>
}

/** API keys with some of the merchant's rights. */
export function RestrictedKeys({ me, keys, again }: Props): JSX.Element {
  const [created, setCreated] = useState<Reply<typeof createRestrictedKey>>()
  const [failure, setFailure] = useState<string>()
  const mayManage = me.permissions.includes('developer.manage')
  const revoke = async ({ id }: Key): Promise<void> => {
    const result = await call(routes.revokeRestrictedKey, { params: { id } })
    setFailure(result.kind === 'done' ? undefined : problemOf(result))
    await again()
  }
  return (
    <section class="panel stack" aria-labelledby="restricted-keys">
      <h2 id="restricted-keys">Restricted keys</h2>
      <p class="quiet">
        Give each server only the rights it needs. It logs in with your API key and its restricted key instead of your
        secret key.
      </p>
      <div role="alert">{failure !== undefined && <p class="notice bad">{failure}</p>}</div>
      <div role="status">
        {created !== undefined && <NewKey created={created} close={() => setCreated(undefined)} />}
      </div>
      {keys.length > 0 && (
        <ul class="rows">
          {keys.map((key) => (
            <KeyRow key={key.id} shown={key} revoke={mayManage ? () => void revoke(key) : undefined} />
          ))}
        </ul>
      )}
      {mayManage && (
        <NewKeyDialog
          scopes={SCOPES.filter((scope) => me.permissions.includes(scope))}
          create={async (body) => {
            const result = await call(routes.createRestrictedKey, { body })
            if (result.kind !== 'done') return problemOf(result)
            setCreated(result.body)
            await again()
            return undefined
          }}
        />
      )}
    </section>
  )
}

/** A new restricted key. It is shown only this once. */
const NewKey = ({
  created: { key, secretKey },
  close,
}: {
  readonly created: Reply<typeof createRestrictedKey>
  readonly close: () => void
}): JSX.Element => (
  <div class="notice">
    <p>
      Secret key of {key.name}: <span class="key">{secretKey}</span>{' '}
      <CopyButton text={secretKey} what="the secret key" />
    </p>
    <p>Store it with your server’s secrets now: we can’t show it again.</p>
    <button class="button plain fit" type="button" onClick={close}>
      I’ve saved it
    </button>
  </div>
)

interface KeyRowProps {
  readonly shown: Key
  readonly revoke: (() => void) | undefined
}

const KeyRow = ({ shown, revoke }: KeyRowProps): JSX.Element => {
  const { name, hint, scopes, ipWhitelist, createdBy, createdAt, lastUsedAt, expiresAt } = shown
  return (
    <li>
      <span>
        {name} <span class="key">{hint}</span>
        <br />
        {scopes.map((scope) => SCOPE_TEXTS[scope]).join(', ')}
        <br />
        <small class="quiet">
          {`Created by ${createdBy}, ${moment(createdAt)} · `}
          {lastUsedAt === null ? 'not used yet' : `last used ${moment(lastUsedAt)}`}
          {expiresAt !== null && ` · expires ${moment(expiresAt)}`}
          {ipWhitelist !== null && ` · only from ${ipWhitelist.join(', ')}`}
        </small>
      </span>
      {revoke !== undefined && (
        <ConfirmButton
          look="link danger"
          label={
            <>
              Revoke<span class="unseen"> {name}</span>
            </>
          }
          title={`Revoke ${name}?`}
          text="Servers that use this key get an error at once. This can’t be undone."
          confirm="Revoke key"
          act={revoke}
        />
      )}
    </li>
  )
}

interface NewKeyBody {
  readonly name: string
  readonly scopes: Scope[]
  readonly ipWhitelist: string[] | null
  readonly expiresInDays: number | null
}

interface NewKeyDialogProps {
  /** The user's own rights. A user can give a key no others. */
  readonly scopes: readonly Scope[]
  readonly create: (body: NewKeyBody) => Promise<string | undefined>
}

function NewKeyDialog({ scopes, create }: NewKeyDialogProps): JSX.Element {
  const act = async (fields: Fields, close: () => void): Promise<string | undefined> => {
    const { name = '', ipWhitelist = '', expiresInDays = '', ...ticked } = fields
    const requested = scopes.filter((scope) => ticked[scope] !== undefined)
    if (requested.length === 0) return 'Choose at least one right.'
    if (!/^\d*$/.test(expiresInDays)) return 'Enter a whole number of days.'
    const ranges = ipWhitelist.split(/[\s,]+/).filter((range) => range !== '')
    const problem = await create({
      name,
      scopes: requested,
      ipWhitelist: ranges.length === 0 ? null : ranges,
      expiresInDays: expiresInDays === '' ? null : Number(expiresInDays),
    })
    if (problem === undefined) close()
    return problem
  }
  return (
    <p>
      <DialogButton look="button fit" label="Create restricted key" title="Create restricted key">
        {(close) => (
          <Form act={(fields) => act(fields, close)} submit="Create" cancel={close}>
            <Field name="name" label="Name" hint="Where it is used, such as Till or Reports." />
            <fieldset class="ticks">
              <legend>Rights</legend>
              {scopes.map((scope) => (
                <label key={scope} class="tick">
                  <input type="checkbox" name={scope} value="on" />
                  <span>{SCOPE_TEXTS[scope]}</span>
                </label>
              ))}
            </fieldset>
            <Field
              name="ipWhitelist"
              label="IP addresses"
              isOptional
              hint="Leave empty for all addresses on your IP whitelist. Separate several with commas."
            />
            <Field
              name="expiresInDays"
              label="Days until it expires"
              inputMode="numeric"
              isOptional
              hint="Leave empty for a key that does not expire."
            />
          </Form>
        )}
      </DialogButton>
    </p>
  )
}
