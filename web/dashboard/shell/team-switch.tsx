import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { call, type Me, problemOf } from '../api/call.ts'
import { DialogButton } from '../parts/dialog.tsx'

/** Switches to another of the user's teams; not shown if the user has only one. */
export const TeamSwitch = ({ me }: { readonly me: Me }): JSX.Element | null =>
  me.teams.length < 2 ? null : (
    <DialogButton look="link" label="Switch team" title="Switch team">
      {(close) => <Teams me={me} close={close} />}
    </DialogButton>
  )

function Teams({ me, close }: { readonly me: Me; readonly close: () => void }): JSX.Element {
  const [problem, setProblem] = useState<string>()
  const choose = async (code: string): Promise<void> => {
    const result = await call(routes.chooseTeam, { body: { code } })
    if (result.kind === 'done') location.assign('/dashboard')
    else setProblem(problemOf(result))
  }
  return (
    <>
      <div role="alert">{problem !== undefined && <p class="notice bad">{problem}</p>}</div>
      <ul class="rows">
        {me.teams.map(({ code, name }) => (
          <li key={code}>
            <span>{name}</span>
            {code === me.merchant?.code ? (
              <span class="badge">Current team</span>
            ) : (
              <button class="button plain fit" type="button" onClick={() => void choose(code)}>
                Open<span class="unseen"> {name}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      <div class="buttons">
        <button class="button plain" type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </>
  )
}
