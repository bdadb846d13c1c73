import type { Input, signInWithPasskey } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { hasPasskeys, signWithPasskey } from './passkeys.ts'

interface Props {
  /** Sends the signed challenge; returns an error message if that failed. */
  readonly take: (assertion: Input<typeof signInWithPasskey>['body']) => Promise<string | undefined>
}

/** A button that asks for a passkey; nothing if the browser does not support them. */
export function PasskeyButton({ take }: Props): JSX.Element | null {
  const [problem, setProblem] = useState<string>()
  if (!hasPasskeys()) return null
  const request = async (): Promise<void> => {
    const signed = await signWithPasskey()
    setProblem('problem' in signed ? signed.problem : await take(signed.assertion))
  }
  return (
    <>
      <button class="button plain" type="button" onClick={() => void request()}>
        Use a passkey
      </button>
      <div role="alert">{problem !== undefined && <p class="notice bad">{problem}</p>}</div>
    </>
  )
}
