import * as contract from '@kobo/contract'
import { done, type Serve } from '../../core/edge/http/index.ts'
import { approve, browseChanges, reject } from './changes.ts'
import { browseAllDisputes, proposeDispute, proposeDisputeEnd, showAnyDispute, showAnyFile } from './disputes.ts'
import { proposePayout } from './final-payout.ts'
import {
  browseMerchants,
  makeMerchant,
  type OperatorDeps,
  putContract,
  putMerchantStatus,
  showMerchant,
  switchContract,
} from './merchants.ts'
import { findMerchant } from './pagination.ts'
import { findPayments } from './payments.ts'
import { proposeConflictDecision, proposeOwner, proposePrice, proposeReturn, proposeSettings } from './proposals.ts'
import { type Requester, requestChange } from './request-change.ts'
import { browseOperators, proposeOperatorChange, withdrawOperatorInvitation } from './team.ts'
import type { ActingOperator } from './team-changes.ts'
import {
  browseAllAudit,
  browseConflicts,
  browseDeliveries,
  browseReturns,
  explainRoute,
  resendDelivery,
  showHealth,
  showPausedEndpoints,
  showRouting,
} from './work.ts'

export function operatorRoutes(serve: Serve, deps: OperatorDeps): void {
  merchantRoutes(serve, deps)
  changeRoutes(serve, deps)
  teamRoutes(serve, deps)
  workRoutes(serve, deps)
}

const requesterOf = (
  { reason }: { readonly reason: string },
  person: Requester['person'],
  by: ActingOperator,
): Requester => ({ person, by, reason })

function merchantRoutes(serve: Serve, deps: OperatorDeps): void {
  const find = (code: string) => findMerchant(deps.core, code)
  serve(contract.browseMerchants, ({ query }) => browseMerchants(deps, query))
  serve(contract.getOneMerchant, ({ params }) => showMerchant(deps, params.code))
  serve(contract.createMerchant, ({ body }, { person, by }) => makeMerchant(deps, body, person, by))
  serve(contract.inviteOwner, async ({ params, body }, { person, by }) =>
    requestChange(deps, await proposeOwner(deps, await find(params.code), body.email), requesterOf(body, person, by)),
  )
  serve(contract.changeMerchantStatus, async ({ params, body }, { by }) =>
    done(putMerchantStatus(deps, await find(params.code), body, by)),
  )
  serve(contract.addContract, async ({ params, body }, { by }) => ({
    code: await putContract(deps, await find(params.code), body, by),
  }))
  serve(contract.changeContract, async ({ params: { code, contractCode }, body: { isDisabled } }, { by }) =>
    done(switchContract(deps, await find(code), { contractCode, isDisabled }, by)),
  )
}

function changeRoutes(serve: Serve, deps: OperatorDeps): void {
  const find = (code: string) => findMerchant(deps.core, code)
  serve(contract.browseChanges, ({ query }, { person }) => browseChanges(deps, person, query))
  serve(contract.requestSettings, async ({ params, body }, { person, by }) =>
    requestChange(deps, proposeSettings(deps, await find(params.code), body), requesterOf(body, person, by)),
  )
  serve(contract.requestPrice, async ({ params, body }, { person, by }) =>
    requestChange(deps, await proposePrice(deps, await find(params.code), body), requesterOf(body, person, by)),
  )
  serve(contract.requestReturn, async ({ params, body }, { person, by }) =>
    requestChange(deps, await proposeReturn(deps, BigInt(params.id), body), requesterOf(body, person, by)),
  )
  serve(contract.requestPayout, async ({ params, body }, { person, by }) =>
    requestChange(deps, await proposePayout(deps, await find(params.code), body), requesterOf(body, person, by)),
  )
  serve(contract.requestConflict, async ({ params, body }, { person, by }) =>
    requestChange(
      deps,
      await proposeConflictDecision(deps, BigInt(params.id), body.verdict),
      requesterOf(body, person, by),
    ),
  )
  serve(contract.browseAllDisputes, ({ query }) => browseAllDisputes(deps, query))
  serve(contract.getAnyDispute, ({ params }) => showAnyDispute(deps, params.disputeReference))
  serve(contract.getAnyDisputeFile, ({ params }) => showAnyFile(deps, params.disputeReference, params.fileId))
  serve(contract.requestDispute, async ({ params, body }, { person, by }) =>
    requestChange(deps, await proposeDispute(deps, await find(params.code), body), requesterOf(body, person, by)),
  )
  serve(contract.requestDisputeEnd, async ({ params, body }, { person, by }) =>
    requestChange(
      deps,
      await proposeDisputeEnd(deps, params.disputeReference, body.outcome),
      requesterOf(body, person, by),
    ),
  )
  serve(contract.approveChange, ({ params }, { person, by }) => approve(deps, BigInt(params.id), { person, by }))
  serve(contract.rejectChange, ({ params, body }, { person, by }) =>
    reject(deps, BigInt(params.id), person, body.reason, by),
  )
}

function teamRoutes(serve: Serve, deps: OperatorDeps): void {
  serve(contract.browseOperators, ({ query }, { person }) => browseOperators(deps, person, query))
  serve(contract.requestOperator, async ({ body }, { person, by }) =>
    requestChange(deps, await proposeOperatorChange(deps, body), requesterOf(body, person, by)),
  )
  serve(contract.withdrawOperatorInvitation, ({ params }, { by }) =>
    done(withdrawOperatorInvitation(deps, BigInt(params.id), by)),
  )
}

function workRoutes(serve: Serve, deps: OperatorDeps): void {
  serve(contract.getHealth, () => showHealth(deps))
  serve(contract.getRouting, () => showRouting(deps))
  serve(contract.explainRoute, ({ query }) => explainRoute(deps, query))
  serve(contract.browseDeliveries, ({ query }) => browseDeliveries(deps, query))
  serve(contract.listPausedReceivers, () => showPausedEndpoints(deps))
  serve(contract.resendDelivery, ({ params }, { by }) => done(resendDelivery(deps, params.code, params.id, by)))
  serve(contract.browseReturns, ({ query }) => browseReturns(deps, query))
  serve(contract.browseConflicts, ({ query }) => browseConflicts(deps, query))
  serve(contract.browseAllAudit, ({ query }) => browseAllAudit(deps, query))
  serve(contract.findPayments, ({ query }, { by }) => findPayments(deps, query, by))
}
