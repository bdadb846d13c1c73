export { directDebitFeature } from './feature.ts'
export {
  findMandateByEitherName,
  findMandatesByNumber,
  type MandateRow,
  mandateHolderList,
  mandateList,
} from './repository.ts'
