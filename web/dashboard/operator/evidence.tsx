import type { browseAllDisputes } from '@kobo/contract'
import type { JSX } from 'preact'
import * as routes from '../../routes.ts'
import { call } from '../api/call.ts'
import { useReply } from '../api/use-reply.ts'
import type { DetailPartProps, ItemOf } from '../parts/list/list-spec.ts'
import { LoadError } from '../parts/placeholders.tsx'
import { SubmittedEvidence } from '../parts/submitted-evidence.tsx'

/** The merchant's evidence in a dispute, to pass on to the partner. */
export function Evidence({ item, me }: DetailPartProps<ItemOf<typeof browseAllDisputes>>): JSX.Element | null {
  return me.permissions.includes('operator.payer.read') ? <Found reference={item.disputeReference} /> : null
}

function Found({ reference: disputeReference }: { readonly reference: string }): JSX.Element | null {
  const { body, problem } = useReply(routes.getAnyDispute, { params: { disputeReference } })
  if (body === undefined) return <LoadError problem={problem} />
  if (body.evidence === null) return null
  return (
    <SubmittedEvidence
      title="Merchant’s evidence"
      evidence={body.evidence}
      getFile={(fileId) => call(routes.getAnyDisputeFile, { params: { disputeReference, fileId } })}
    />
  )
}
