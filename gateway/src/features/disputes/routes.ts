import * as contract from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Serve } from '../../core/edge/http/index.ts'
import { fromMoment, throughMoment } from '../../kernel/dates.ts'
import { randomCode } from '../../kernel/ids.ts'
import { naira } from '../../kernel/money.ts'
import { showPage } from '../../platform/postgres/pagination.ts'
import { SIMULATED } from '../../rails/simulated/index.ts'
import * as disputes from './service.ts'
import { showDetail, showDispute } from './show.ts'

export function disputeRoutes(serve: Serve, core: Core): void {
  const { db } = core

  serve(contract.listDisputes, async ({ query }, { merchant }) => {
    const { from, to, disputeStatus: status } = query
    const filter = {
      status,
      from: from === undefined ? undefined : fromMoment(from),
      to: to === undefined ? undefined : throughMoment(to),
    }
    return showPage(await disputes.listDisputes(db, merchant.id, filter, query), showDispute)
  })

  serve(contract.getDispute, async ({ params }, { merchant }) =>
    showDetail(await disputes.getDetail(db, await disputes.getDispute(db, merchant.id, params.disputeReference))),
  )

  serve(contract.submitEvidence, async ({ params, body: { text, files } }, { merchant }) =>
    showDetail(
      await disputes.getDetail(
        db,
        await disputes.submitEvidence(core, merchant, params.disputeReference, { text, files: files ?? [] }),
      ),
    ),
  )

  serve(contract.acceptDispute, async ({ params }, { merchant }) =>
    showDispute(await disputes.acceptDispute(core, merchant, params.disputeReference)),
  )

  serve(contract.getDisputeFile, async ({ params }, { merchant }) =>
    disputes.getFile(core, await disputes.getDispute(db, merchant.id, params.disputeReference), params.fileId),
  )

  serve(contract.openSandboxDispute, async ({ body }, { merchant }) =>
    showDispute(
      await disputes.openFor(core, merchant, body.transactionReference, {
        partner: SIMULATED,
        partnerReference: randomCode(20),
        kind: body.disputeType,
        paymentId: undefined,
        amount: body.disputeAmount == null ? undefined : naira(body.disputeAmount),
        reason: body.disputeReason ?? undefined,
        evidenceDueAt: undefined,
      }),
    ),
  )

  serve(contract.decideSandboxDispute, async ({ params, body }, { merchant }) =>
    showDispute(await disputes.decideFor(core, merchant, params.disputeReference, body.outcome)),
  )
}
