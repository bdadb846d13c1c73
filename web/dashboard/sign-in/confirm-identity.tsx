import type { Input, showPasskey } from '@kobo/contract'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { type CallResult, call, type Me, onConfirmIdentity, problemOf, readMe } from '../api/call.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Field, Form } from '../parts/form.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { ConfirmBySignOn } from './sign-on.tsx'

interface Request {
  readonly me: Me | undefined
  readonly resolve: (isConfirmed: boolean) => void
}

/**
 * Asks for the second factor in a dialog when a call needs it. It is rendered within the page, so that ids are unique.
 */
export function ConfirmIdentity(): JSX.Element | null {
  const [request, setRequest] = useState<Request>()
  useEffect(
    () =>
      onConfirmIdentity(async () => {
        const response = await readMe()
        const me = response.kind === 'done' ? response.body : undefined
        return new Promise((resolve) => setRequest({ me, resolve }))
      }),
    [],
  )
  return request === undefined ? null : <ConfirmDialog {...request} closed={() => setRequest(undefined)} />
}

interface ConfirmDialogProps extends Request {
  readonly closed: () => void
}

function ConfirmDialog({ me, resolve, closed }: ConfirmDialogProps): JSX.Element {
  const settle = (response: CallResult<unknown>, close: () => void): string | undefined => {
    if (response.kind !== 'done') return problemOf(response)
    resolve(true)
    close()
    return undefined
  }
  const byPasskey = (close: () => void) => async (body: Input<typeof showPasskey>['body']) =>
    settle(await call(routes.showPasskey, { body }), close)
  return (
    <Dialog
      title="Confirm it’s you"
      closed={() => {
        resolve(false) // has no effect if the user has confirmed
        closed()
      }}
    >
      {(close) => (
        <>
          {me?.signOn?.confirms === true && (
            <ConfirmBySignOn
              confirmed={() => {
                resolve(true)
                close()
              }}
            />
          )}
          {me?.hasSecondFactor === false ? (
            <>
              {me.signOn?.confirms !== true && (
                <SetUpFirst
                  done={() => {
                    resolve(true)
                    close()
                  }}
                />
              )}
              <button class="button plain" type="button" onClick={close}>
                Cancel
              </button>
            </>
          ) : (
            <>
              <p class="quiet">Enter the code from your authenticator app, or a backup code.</p>
              <Form
                act={async ({ code = '' }) => settle(await call(routes.showSecondFactor, { body: { code } }), close)}
                submit="Confirm"
                cancel={close}
              >
                <Field name="code" label="Code" autocomplete="one-time-code" autofocus />
              </Form>
              <PasskeyButton take={byPasskey(close)} />
            </>
          )}
        </>
      )}
    </Dialog>
  )
}

/** Leads to the profile in another tab, so that nothing typed is lost. */
const SetUpFirst = ({ done }: { readonly done: () => void }): JSX.Element => (
  <>
    <p>
      This needs a second factor, and you have none yet.{' '}
      <a href="/dashboard/profile" target="_blank" rel="noopener">
        Set one up in a new tab
      </a>
      , then continue here.
    </p>
    <button class="button" type="button" onClick={done}>
      Continue
    </button>
  </>
)
