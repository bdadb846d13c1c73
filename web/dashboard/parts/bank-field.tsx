import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { useReply } from '../api/use-reply.ts'

/** A select with every bank. */
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
  const { body } = useReply(routes.listBanks, {})
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
