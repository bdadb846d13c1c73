export { walletRoutes } from './routes.ts'
export { receiveTopUps, type WalletCredit } from './top-up.ts'
