import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../../routes.ts'
import { call, problemOf } from '../../api/call.ts'
import { moment } from '../../parts/format.ts'

/** An operator's token for the command line. */
export function CommandLine(): JSX.Element {
  const [made, setMade] = useState<{ readonly token: string; readonly expiresAt: string }>()
  const [failure, setFailure] = useState<string>()
  const create = async (): Promise<void> => {
    const result = await call(routes.createOperatorToken, {})
    setMade(result.kind === 'done' ? result.body : undefined)
    setFailure(result.kind === 'done' ? undefined : problemOf(result))
  }
  return (
    <section class="panel stack" aria-labelledby="command-line">
      <h2 id="command-line">Command line</h2>
      <p class="quiet">
        Commands of ./kobo with the option --by, which names the operator, need your token. Set it in
        KOBO_OPERATOR_TOKEN, or enter it when asked. It is shown only once.
      </p>
      <div role="alert">{failure !== undefined && <p class="notice bad">{failure}</p>}</div>
      <div role="status">
        {made !== undefined && (
          <p class="notice">
            <code>{made.token}</code> (valid until {moment(made.expiresAt)})
          </p>
        )}
      </div>
      <p>
        <button class="button fit" type="button" onClick={() => void create()}>
          Create token
        </button>
      </p>
    </section>
  )
}
