export { signInFeature } from './feature.ts'
export { linkAddress, linkMail, makeLink, type NewLink } from './links.ts'
export { selectInvitations, voidInvitation } from './repository.ts'
export { sealedSecondFactors } from './sealed.ts'
