export { refundRoutes } from './routes.ts'
export { openRefundWork, refundSending } from './send.ts'
