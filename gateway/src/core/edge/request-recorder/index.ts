export { MASKED, maskedText } from './masking.ts'
export { openRequestLog, type RequestLog } from './recorder.ts'
export {
  deleteRequests,
  deleteRequestsBefore,
  findRequest,
  type RequestFilter,
  type RequestRow,
  selectRequests,
} from './repository.ts'
