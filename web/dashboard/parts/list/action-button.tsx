import type { JSX } from 'preact'
import { problemOf } from '../../api/call.ts'
import { BankField } from '../bank-field.tsx'
import { DialogButton } from '../dialog.tsx'
import { ChoiceField, Field, type Fields, Form } from '../form.tsx'
import type { Action, ActionField } from './list-spec.ts'

interface ActionButtonProps<Subject> {
  readonly action: Action<Subject>
  readonly subject: Subject
  /** Called after success. */
  readonly done: (toast: string, reply: unknown) => void
  readonly isPlain?: boolean
}

/** A button that opens the form of an action. */
export function ActionButton<Subject>({
  action,
  subject,
  done,
  isPlain = false,
}: ActionButtonProps<Subject>): JSX.Element {
  const { title, text } = action
  const send = async (fields: Fields, close: () => void): Promise<string | undefined> => {
    const result = await action.run(subject, fields)
    if (result.kind !== 'done') return problemOf(result)
    close()
    done(action.toast, result.body)
    return undefined
  }
  const inputs = typeof action.fields === 'function' ? action.fields(subject) : action.fields
  const look = action.isDanger === true ? 'button danger fit' : isPlain ? 'button plain fit' : 'button fit'
  return (
    <DialogButton look={look} label={title} title={title}>
      {(close) => (
        <>
          {text !== undefined && <p class="quiet">{typeof text === 'string' ? text : text(subject)}</p>}
          <Form
            act={(fields) => send(fields, close)}
            submit={title}
            cancel={close}
            dismiss={action.dismiss}
            isDanger={action.isDanger === true}
          >
            {inputs.map((field) => (
              <ActionInput key={field.name} field={field} />
            ))}
          </Form>
        </>
      )}
    </DialogButton>
  )
}

const PLAIN_KINDS = {
  text: {},
  email: { type: 'email' },
  amount: { type: 'amount' },
  number: { inputMode: 'numeric' },
  decimal: { inputMode: 'decimal' },
  day: { type: 'date' },
} as const

function ActionInput({ field: { kind = 'text', Input, ...field } }: { readonly field: ActionField }): JSX.Element {
  if (Input !== undefined) return <Input name={field.name} />
  if (kind === 'bank') return <BankField name={field.name} label={field.label} isOptional={field.isOptional ?? false} />
  if (kind === 'choice') return <ChoiceField {...field} choices={field.choices ?? []} />
  if (kind === 'ticks') return <TickInputs field={field} />
  return <Field {...field} {...PLAIN_KINDS[kind]} />
}

type OptionsField = Omit<ActionField, 'kind' | 'Input'>

const TickInputs = ({
  field: { name, label, choices = [], ticked = [] },
}: {
  readonly field: OptionsField
}): JSX.Element => (
  <fieldset class="ticks">
    <legend>{label}</legend>
    {choices.map(([one, title]) => (
      <label key={one} class="tick">
        <input type="checkbox" name={`${name}.${one}`} value="on" defaultChecked={ticked.includes(one)} />
        <span>{title}</span>
      </label>
    ))}
  </fieldset>
)
