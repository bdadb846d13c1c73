import type { listTills, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { call, problemOf } from '../api/call.ts'
import { useReply } from '../api/use-reply.ts'
import { DialogButton } from '../parts/dialog.tsx'
import { Field, Form } from '../parts/form.tsx'
import { LoadingOrError, Nothing } from '../parts/placeholders.tsx'
import { Toast } from '../parts/toast.tsx'
import { isCashier, type ScreenProps } from '../shell/screen.ts'
import { CashierDialog } from './tills/cashier-dialog.tsx'
import { TillPage } from './tills/till-page.tsx'

/** The tills of a shop, or one of them. A cashier sees only their own. */
export default function Tills({ me, id }: ScreenProps): JSX.Element {
  if (id !== undefined) return <TillPage key={id} tillReference={id} isOnly={isCashier(me)} />
  return <TillList me={me} />
}

type Till = Reply<typeof listTills>['tills'][number]

function TillList({ me }: Pick<ScreenProps, 'me'>): JSX.Element {
  const { body, problem, again } = useReply(routes.listTills, {})
  const [toast, setToast] = useState<string>()
  if (body === undefined) return <LoadingOrError problem={problem} />
  const [own] = body.tills
  if (isCashier(me) && own !== undefined) return <TillPage tillReference={own.tillReference} isOnly />
  const saved = async (text: string): Promise<void> => {
    setToast(text)
    await again()
  }
  return (
    <div class="stack">
      <div class="split-row heading">
        <h1>Tills</h1>
        {me.permissions.includes('collect.make') && (
          <div class="actions">
            <NewTill saved={saved} />
          </div>
        )}
      </div>
      <Toast text={toast} />
      {body.tills.length === 0 ? (
        <Nothing title="No tills yet">
          <p class="quiet">
            {isCashier(me)
              ? 'Ask an admin of your team to give you a till.'
              : 'A till is an account number for your counter. Its page, opened on a phone or tablet, shows each payment as it arrives.'}
          </p>
        </Nothing>
      ) : (
        <ul class="tills">
          {body.tills.map((till) => (
            <TillRow
              key={till.tillReference}
              till={till}
              mayAssign={me.permissions.includes('team.manage')}
              saved={saved}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

interface RowProps {
  readonly till: Till
  readonly mayAssign: boolean
  readonly saved: (text: string) => Promise<void>
}

const TillRow = ({ till, mayAssign, saved }: RowProps): JSX.Element => (
  <li class="panel stack-tight">
    <h2>
      <a href={`/dashboard/tills/${encodeURIComponent(till.tillReference)}`}>{till.name}</a>
    </h2>
    <p class="quiet">{till.accounts.map((one) => `${one.bankName} ${one.accountNumber}`).join(', ')}</p>
    <p>
      {till.cashiers.length === 0 ? 'No cashiers' : `Cashiers: ${till.cashiers.map(({ name }) => name).join(', ')}`}{' '}
      {mayAssign && <CashierDialog till={till} saved={() => saved('Cashiers saved.')} />}
    </p>
  </li>
)

const NewTill = ({ saved }: Pick<RowProps, 'saved'>): JSX.Element => (
  <DialogButton look="button fit" label="Create till" title="Create till">
    {(close) => (
      <Form
        submit="Create till"
        cancel={close}
        act={async ({ name = '', bvn = '' }) => {
          const result = await call(routes.createTill, { body: { name, bvn } })
          if (result.kind !== 'done') return problemOf(result)
          close()
          await saved('Till created.')
          return undefined
        }}
      >
        <Field
          name="name"
          label="Name"
          hint="Customers see this name in their banking app. Use your shop and branch."
        />
        <Field name="bvn" label="BVN of the business owner" inputMode="numeric" hint="11 digits" />
      </Form>
    )}
  </DialogButton>
)
