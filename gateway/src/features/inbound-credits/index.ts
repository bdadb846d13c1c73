export { nameEnquiry } from './name-enquiry.ts'
export { type NotifyingPartner, railNotificationRoutes } from './routes.ts'
export { creditLane, creditSweeps } from './service.ts'
