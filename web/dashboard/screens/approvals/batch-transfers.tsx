import type { listBatchTransfers, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../../routes.ts'
import { naira } from '../../../ui/money.ts'
import { call, problemOf } from '../../api/call.ts'

const PAGE_SIZE = 50

type Transfer = Reply<typeof listBatchTransfers>['content'][number]

/** The transfers of a batch, so that the approver sees who is paid. */
export function BatchTransfers({ batchReference }: { readonly batchReference: string }): JSX.Element {
  const [transfers, setTransfers] = useState<readonly Transfer[]>([])
  const [isComplete, setComplete] = useState(false)
  const [problem, setProblem] = useState<string>()
  const more = async (): Promise<void> => {
    const query = { pageNo: transfers.length / PAGE_SIZE, pageSize: PAGE_SIZE }
    const result = await call(routes.listBatchTransfers, { params: { batchReference }, query })
    setProblem(result.kind === 'done' ? undefined : problemOf(result))
    if (result.kind !== 'done') return
    setTransfers([...transfers, ...result.body.content])
    setComplete(result.body.last)
  }
  return (
    <div class="stack">
      <div role="alert">{problem !== undefined && <p class="notice bad">{problem}</p>}</div>
      {transfers.length > 0 && (
        <div class="table-frame">
          <table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Account</th>
                <th scope="col">Narration</th>
                <th scope="col">Amount</th>
              </tr>
            </thead>
            <tbody>
              {transfers.map((one) => (
                <tr key={one.reference}>
                  <td>{one.destinationAccountName || <span class="quiet">Not given</span>}</td>
                  <td>
                    {one.destinationAccountNumber}
                    <br />
                    <small class="quiet">{one.destinationBankName}</small>
                  </td>
                  <td>{one.narration}</td>
                  <td class="number">{naira(one.amount)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {!isComplete && (
        <p>
          <button class="link" type="button" onClick={() => void more()}>
            {transfers.length === 0 ? 'Show transfers' : 'Show more transfers'}
          </button>
        </p>
      )}
    </div>
  )
}
