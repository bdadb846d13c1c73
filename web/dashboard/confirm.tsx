import type { showPasskey, showSecondFactor } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { render } from 'preact'
import { call, problemOf } from './call.ts'
import { Field, type Fields, Form } from './form.tsx'
import { PasskeyButton } from './passkey-button.tsx'

const SECOND_FACTOR: Address<typeof showSecondFactor> = { method: 'POST', path: '/dashboard/api/second-factor' }

const PASSKEY: Address<typeof showPasskey> = { method: 'POST', path: '/dashboard/api/second-factor/passkey' }

/** Asks for the second factor in a dialog; answers whether it was shown. */
export function confirmIdentity(): Promise<boolean> {
  const dialog = document.createElement('dialog')
  dialog.className = 'dialog'
  dialog.setAttribute('aria-labelledby', 'confirm-title')
  document.body.append(dialog)
  return new Promise((resolve) => {
    let isShown = false
    const confirm = async ({ code = '' }: Fields): Promise<string | undefined> => {
      const answer = await call(SECOND_FACTOR, { body: { code } })
      if (answer.kind !== 'done') return problemOf(answer)
      isShown = true
      dialog.close()
      return undefined
    }
    const byPasskey = async (
      body: Parameters<typeof call<typeof showPasskey>>[1]['body'],
    ): Promise<string | undefined> => {
      const answer = await call(PASSKEY, { body })
      if (answer.kind !== 'done') return problemOf(answer)
      isShown = true
      dialog.close()
      return undefined
    }
    render(
      <div class="stack">
        <h2 id="confirm-title">Confirm that it is you</h2>
        <p class="quiet">Enter the code that your authenticator shows, or a backup code.</p>
        <Form act={confirm} submit="Confirm" cancel={() => dialog.close()}>
          <Field name="code" label="Code" autocomplete="one-time-code" autofocus />
        </Form>
        <PasskeyButton take={byPasskey} />
      </div>,
      dialog,
    )
    dialog.addEventListener('close', () => {
      render(null, dialog)
      dialog.remove()
      resolve(isShown)
    })
    dialog.showModal()
  })
}
