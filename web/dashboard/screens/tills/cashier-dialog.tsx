import type { listTills, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import * as routes from '../../../routes.ts'
import { call, problemOf } from '../../api/call.ts'
import { useReply } from '../../api/use-reply.ts'
import { DialogButton } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { LoadingOrError } from '../../parts/placeholders.tsx'

interface CashierDialogProps {
  readonly till: Reply<typeof listTills>['tills'][number]
  readonly saved: () => Promise<void>
}

export const CashierDialog = ({ till, saved }: CashierDialogProps): JSX.Element => (
  <DialogButton
    look="link"
    label={
      <>
        Choose cashiers<span class="unseen"> of {till.name}</span>
      </>
    }
    title={`Cashiers of ${till.name}`}
  >
    {(close) => <CashierForm till={till} saved={saved} close={close} />}
  </DialogButton>
)

function CashierForm({ till, saved, close }: CashierDialogProps & { readonly close: () => void }): JSX.Element {
  const { body, problem } = useReply(routes.getTeam, {})
  if (body === undefined) return <LoadingOrError problem={problem} />
  const team = body.members.filter(({ role }) => role === 'cashier')
  if (team.length === 0)
    return <p>Your team has no cashiers. Invite someone with the role Cashier first, under Team.</p>
  return (
    <Form
      submit="Save cashiers"
      cancel={close}
      act={async (fields) => {
        const cashiers = team.flatMap(({ id }) => (fields[`cashier-${id}`] === 'on' ? id : []))
        const params = { tillReference: till.tillReference }
        const result = await call(routes.setCashiers, { params, body: { cashiers } })
        if (result.kind !== 'done') return problemOf(result)
        close()
        await saved()
        return undefined
      }}
    >
      <p class="quiet">A cashier has only one till, and must sign in again after a change.</p>
      {team.map(({ id, name, email }) => (
        <label class="tick" key={id}>
          <input
            type="checkbox"
            name={`cashier-${id}`}
            defaultChecked={till.cashiers.some((cashier) => cashier.id === id)}
          />
          <span>
            {name} <small class="quiet">{email}</small>
          </span>
        </label>
      ))}
    </Form>
  )
}
