import type { browseAllDisputes, getAnyDispute, getAnyDisputeFile } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { call } from '../call.ts'
import { Said } from '../disputes/said.tsx'
import type { ItemOf, PartProps } from '../list/spec.ts'
import { useReply } from '../use-reply.ts'

const GET: Address<typeof getAnyDispute> = {
  method: 'GET',
  path: '/dashboard/api/operator/disputes/:disputeReference',
}
const FILE: Address<typeof getAnyDisputeFile> = {
  method: 'GET',
  path: '/dashboard/api/operator/disputes/:disputeReference/files/:fileId',
}

/** What the merchant says against a dispute: the partner is to have it. */
export function Evidence({ item, me }: PartProps<ItemOf<typeof browseAllDisputes>>): JSX.Element | null {
  return me.permissions.includes('operator.payer.read') ? <Found reference={item.disputeReference} /> : null
}

function Found({ reference: disputeReference }: { readonly reference: string }): JSX.Element | null {
  const { body, problem } = useReply(GET, { params: { disputeReference } })
  if (body === undefined) return problem === undefined ? null : <p class="notice bad">{problem}</p>
  if (body.evidence === null) return null
  return (
    <Said
      title="What the merchant says against it"
      evidence={body.evidence}
      file={(fileId) => call(FILE, { params: { disputeReference, fileId } })}
    />
  )
}
