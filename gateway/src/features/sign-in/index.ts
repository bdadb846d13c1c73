export { signInFeature } from './feature.ts'
export { createLink, linkAddress, linkMail, type NewLink } from './links.ts'
export { selectInvitations, voidInvitation, voidInvitationsOf } from './repository.ts'
