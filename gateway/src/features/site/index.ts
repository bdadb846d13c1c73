export { policyReportRoutes } from './policy-reports.ts'
export { pageRoutes } from './routes.ts'
