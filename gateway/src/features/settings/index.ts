export { addContract, ContractError, setDisabled } from './contracts.ts'
export { settingsFeature } from './feature.ts'
export { changeMerchantStatus, MerchantStatusError } from './merchant-status.ts'
export {
  applySettings,
  type By,
  changeSettings,
  checkSettings,
  type SettingsDeps,
  showSettings,
  showTerms,
} from './service.ts'
export { checkWebhookUrl, type Rules } from './settings.ts'
