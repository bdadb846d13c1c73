import type { showPasskey } from '@kobo/contract'
import { render } from 'preact'
import * as routes from '../../routes.ts'
import { call, problemOf, readMe } from '../api/call.ts'
import { Field, type Fields, Form } from '../parts/form.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { ConfirmBySignOn } from './sign-on.tsx'

/** Asks for the second factor in a dialog; returns whether the user gave it. */
export async function confirmIdentity(): Promise<boolean> {
  const me = await readMe()
  const dialog = document.createElement('dialog')
  dialog.className = 'dialog'
  dialog.setAttribute('aria-labelledby', 'confirm-title')
  document.body.append(dialog)
  return new Promise((resolve) => {
    let isConfirmed = false
    const confirm = async ({ code = '' }: Fields): Promise<string | undefined> => {
      const response = await call(routes.showSecondFactor, { body: { code } })
      if (response.kind === 'done') confirmed()
      return response.kind === 'done' ? undefined : problemOf(response)
    }
    const confirmed = (): void => {
      isConfirmed = true
      dialog.close()
    }
    const byPasskey = async (
      body: Parameters<typeof call<typeof showPasskey>>[1]['body'],
    ): Promise<string | undefined> => {
      const response = await call(routes.showPasskey, { body })
      if (response.kind === 'done') confirmed()
      return response.kind === 'done' ? undefined : problemOf(response)
    }
    render(
      <div class="stack">
        <h2 id="confirm-title">Confirm it’s you</h2>
        {me?.signOn?.confirms === true && <ConfirmBySignOn confirmed={confirmed} />}
        {me?.hasSecondFactor === false ? (
          <button class="button plain" type="button" onClick={() => dialog.close()}>
            Cancel
          </button>
        ) : (
          <>
            <p class="quiet">Enter the code from your authenticator app, or a backup code.</p>
            <Form act={confirm} submit="Confirm" cancel={() => dialog.close()}>
              <Field name="code" label="Code" autocomplete="one-time-code" autofocus />
            </Form>
            <PasskeyButton take={byPasskey} />
          </>
        )}
      </div>,
      dialog,
    )
    dialog.addEventListener('close', () => {
      render(null, dialog)
      dialog.remove()
      resolve(isConfirmed)
    })
    dialog.showModal()
  })
}
