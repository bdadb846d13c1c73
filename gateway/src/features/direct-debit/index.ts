export { mandateLinks } from './link.ts'
export { directDebitRoutes } from './routes.ts'
export { directDebitSweeps } from './sweeps.ts'
export { receiveTokens } from './token.ts'
