import type { browseDisputes } from '@kobo/contract'
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import * as routes from '../../../routes.ts'
import { call, problemOf } from '../../api/call.ts'
import { useReply } from '../../api/use-reply.ts'
import { type Fields, Form, TextArea } from '../../parts/form.tsx'
import { moment } from '../../parts/format.ts'
import type { DetailPartProps, ItemOf } from '../../parts/list/list-spec.ts'
import { LoadError } from '../../parts/placeholders.tsx'
import { SubmittedEvidence } from '../../parts/submitted-evidence.tsx'
import { CustomerOfPayment } from '../transactions/customer-of-payment.tsx'
import { type FilesResult, readFiles } from './files.ts'

/** The customer of a dispute, and the evidence against it or the form to submit it. */
export function Evidence({ item, me, done }: DetailPartProps<ItemOf<typeof browseDisputes>>): JSX.Element | null {
  if (!me.permissions.includes('payer.read')) return null
  return (
    <>
      <CustomerOfPayment item={item} />
      <DisputeResponse item={item} maySubmit={me.permissions.includes('collect.make')} done={done} />
    </>
  )
}

interface DisputeResponseProps {
  readonly item: ItemOf<typeof browseDisputes>
  readonly maySubmit: boolean
  readonly done: (toast: string) => void
}

function DisputeResponse({
  item: { disputeReference, evidenceDueOn },
  maySubmit,
  done,
}: DisputeResponseProps): JSX.Element | null {
  const { body, problem, again } = useReply(routes.getDispute, { params: { disputeReference } })
  const sent = async (): Promise<void> => {
    await again()
    done('Evidence sent.')
  }
  if (body === undefined) return <LoadError problem={problem} />
  if (body.evidence !== null)
    return (
      <SubmittedEvidence
        title="Your evidence"
        evidence={body.evidence}
        getFile={(fileId) => call(routes.getDisputeFile, { params: { disputeReference, fileId } })}
      />
    )
  if (body.disputeStatus !== 'OPEN' || !maySubmit) return null
  return <EvidenceForm reference={disputeReference} due={evidenceDueOn} done={sent} />
}

interface EvidenceFormProps {
  readonly reference: string
  readonly due: string
  readonly done: () => Promise<void>
}

function EvidenceForm({ reference, due, done }: EvidenceFormProps): JSX.Element {
  const id = useId()
  const [chosen, setChosen] = useState<readonly File[]>([])
  const send = async ({ text = '' }: Fields): Promise<string | undefined> => {
    if (text === '') return 'Explain why this payment is valid.'
    const read: FilesResult = await readFiles(chosen)
    if ('problem' in read) return read.problem
    const result = await call(routes.submitEvidence, {
      params: { disputeReference: reference },
      body: { text, files: read.files },
    })
    if (result.kind !== 'done') return problemOf(result)
    await done()
    return undefined
  }
  return (
    <section class="panel stack" aria-labelledby="challenge">
      <h2 id="challenge">Challenge this dispute</h2>
      <p>You can respond once, before {moment(due)}. The customer’s bank decides; the money stays held until then.</p>
      <Form act={send} submit="Send evidence">
        <TextArea
          name="text"
          label="Why this payment is valid"
          hint="Describe what was bought, delivered and agreed."
          value=""
        />
        <div class="field">
          <label for={id}>Supporting files</label>
          <input
            id={id}
            type="file"
            multiple
            accept="application/pdf,image/png,image/jpeg"
            aria-describedby={`${id}-hint`}
            onChange={({ currentTarget }) => setChosen([...(currentTarget.files ?? [])])}
          />
          <p class="hint" id={`${id}-hint`}>
            Up to three PDF, PNG or JPEG files of at most 400 kB each.
          </p>
        </div>
      </Form>
    </section>
  )
}
