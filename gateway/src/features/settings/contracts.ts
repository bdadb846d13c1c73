import {
  type ContractRow,
  insertContract,
  lockMerchant,
  type MerchantDirectory,
  selectContracts,
  updateContract,
} from '../../core/merchants/index.ts'
import { CONTRACT_TERMS } from '../../core/onboarding.ts'
import { type AuditRecord, audit } from '../../core/security/audit.ts'
import { randomDigits } from '../../kernel/ids.ts'

/** All contracts of a merchant are in memory, so their number is limited. */
const CONTRACTS_MAX = 100
const CODE_LENGTH = 12

type Who = Pick<AuditRecord, 'actor' | 'name' | 'address'>

/** The reason why a contract cannot be changed. */
export class ContractError extends Error {}

/** Adds a contract with the default terms; returns its code. */
export const addContract = (
  directory: MerchantDirectory,
  merchantId: bigint,
  { name, description }: { readonly name: string; readonly description: string },
  who: Who = { actor: 'command line' },
): Promise<string> =>
  directory.change(merchantId, async (unit) => {
    await lockMerchant(unit.tx, merchantId)
    if ((await selectContracts(unit.tx, merchantId)).length >= CONTRACTS_MAX)
      throw new ContractError(`A merchant can have at most ${CONTRACTS_MAX} contracts.`)
    const code = randomDigits(CODE_LENGTH)
    insertContract(unit.tx, { ...CONTRACT_TERMS, merchantId, code, name, description, createdAt: unit.at })
    const details = { before: null, after: { name, description } }
    audit(unit, { merchantId, act: 'contract.add', ...who, reference: code, details })
    return code
  })

/** Disables or enables a contract. A merchant's last enabled contract stays enabled. */
export const setDisabled = (
  directory: MerchantDirectory,
  merchantId: bigint,
  code: string,
  isDisabled: boolean,
  who: Who = { actor: 'command line' },
): Promise<void> =>
  directory.change(merchantId, async (unit) => {
    await lockMerchant(unit.tx, merchantId)
    const contracts = await selectContracts(unit.tx, merchantId)
    const contract = contracts.find((one) => one.code === code)
    if (contract === undefined) throw new ContractError(`The merchant has no contract ${code}.`)
    if (isDisabled && !contracts.some((one) => one.code !== code && isEnabled(one)))
      throw new ContractError('This is the last enabled contract: add another first, or suspend the merchant.')
    const disabledAt = isDisabled ? unit.at : null
    updateContract(unit.tx, merchantId, code, { disabledAt })
    const details = { before: { isDisabled: !isEnabled(contract) }, after: { isDisabled } }
    const act = isDisabled ? 'contract.disable' : 'contract.enable'
    audit(unit, { merchantId, act, ...who, reference: code, details })
  })

const isEnabled = ({ disabledAt }: ContractRow): boolean => disabledAt === null
