export { attach, type FreeAccount, lockFreeAccount } from './attach.ts'
export { type ReservedCredit, receiveReservedCredits } from './credits.ts'
export { reservedAccountRoutes } from './routes.ts'
