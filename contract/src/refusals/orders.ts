import { refusals } from '../refusal.ts'

/** Errors of manual decisions about orders. */
export const orderRefusals = refusals({
  unknownOrder: {
    code: 'UNKNOWN_ORDER',
    status: 404,
    text: 'Could not find this order',
    cause: 'No open or manually decided order has this reference.',
  },
  noReviewNeeded: {
    code: 'NOBODY_CALLED',
    status: 422,
    text: 'This order does not need manual review',
    cause: 'The partner has responded, or Kobo has been querying it for less than a day.',
  },
  ownProposal: {
    code: 'OWN_PROPOSAL',
    status: 403,
    text: 'You made this proposal, so someone else must confirm it',
    cause: 'The user who confirms made the proposal.',
  },
  decidedAlready: {
    code: 'DECIDED_ALREADY',
    status: 422,
    text: 'The outcome of this order has already been decided',
    cause: 'Two people have agreed on the outcome, and it is being applied.',
  },
  missingDetails: {
    code: 'NOT_TOLD',
    status: 422,
    text: 'Enter what the partner reported: {names}',
    cause: 'The outcome needs details that only the partner has, such as the session ID of a successful transfer.',
  },
  notOffered: {
    code: 'VERDICT_NOT_OFFERED',
    status: 422,
    text: 'This outcome is not possible for an order that was delivered',
    cause: 'The partner reported the order as delivered, so it can only stay delivered or be returned.',
  },
})
