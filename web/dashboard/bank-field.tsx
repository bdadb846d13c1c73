import type { InDashboard, listBanks } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { useReply } from './use-reply.ts'

export const BANKS: Address<InDashboard<typeof listBanks>> = { method: 'GET', path: '/dashboard/api/v1/banks' }

/** Which bank, from those that there are. */
export function BankField({
  name,
  label,
  isOptional = false,
}: {
  readonly name: string
  readonly label: string
  readonly isOptional?: boolean
}): JSX.Element {
  const id = useId()
  const { body } = useReply(BANKS, {})
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name} required={!isOptional}>
        <option value="">Choose a bank</option>
        {body?.map((bank) => (
          <option key={bank.code} value={bank.code}>
            {bank.name}
          </option>
        ))}
      </select>
    </div>
  )
}
