import { refusals } from '../refusal.ts'

/** How what people decide about orders is refused. */
export const orderRefusals = refusals({
  unknownOrder: {
    code: 'UNKNOWN_ORDER',
    status: 404,
    text: 'There is no such order',
    cause: 'No order that is open, or about which something was decided, has this reference.',
  },
  nobodyCalled: {
    code: 'NOBODY_CALLED',
    status: 422,
    text: 'No person is called for this order',
    cause: 'The partner has answered meanwhile, or is still being asked.',
  },
  ownProposal: {
    code: 'OWN_PROPOSAL',
    status: 403,
    text: 'This is your own proposal: somebody else has to confirm it',
    cause: 'The person who confirms made the proposal.',
  },
  decidedAlready: {
    code: 'DECIDED_ALREADY',
    status: 422,
    text: 'It is decided already what became of this order',
    cause: 'Two people have said so, and it is about to be carried out.',
  },
  untold: {
    code: 'NOT_TOLD',
    status: 422,
    text: 'The partner must have told with it: {names}',
    cause: 'The verdict needs something that only the partner can tell, as the session id of a transfer that arrived.',
  },
  notOffered: {
    code: 'VERDICT_NOT_OFFERED',
    status: 422,
    text: 'This cannot have become of an order that had arrived',
    cause: 'What the partner once said had arrived was received by it: it stayed, or it came back.',
  },
})
