import type { JSX } from 'preact'
import * as routes from '../../routes.ts'
import { useReply } from '../api/use-reply.ts'
import { ChoiceField } from './form.tsx'

interface BankFieldProps {
  readonly name: string
  readonly label: string
  readonly value?: string
  readonly isOptional?: boolean
}

/** A select with every bank. */
export function BankField(props: BankFieldProps): JSX.Element {
  const { body } = useReply(routes.listBanks, {})
  const banks = body?.map(({ code, name }) => [code, name] as const) ?? []
  return <ChoiceField {...props} choices={[['', 'Choose a bank'], ...banks]} />
}
