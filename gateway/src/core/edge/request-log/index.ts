export { type Answered, openRequestLog, type RequestLog } from './keeper.ts'
export {
  findRequest,
  forgetRequests,
  forgetRequestsBefore,
  type RequestRow,
  selectRequests,
  type WantedRequests,
} from './repository.ts'
