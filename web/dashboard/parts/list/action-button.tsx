import type { JSX } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { problemOf } from '../../api/call.ts'
import { BankField } from '../bank-field.tsx'
import { Field, type Fields, Form } from '../form.tsx'
import type { Action, ActionField } from './list-spec.ts'

interface ActionButtonProps<Subject> {
  readonly action: Action<Subject>
  readonly subject: Subject
  /** Called after success. */
  readonly done: (toast: string) => void
  readonly isPlain?: boolean
}

/** A button that opens the form of an action. */
export function ActionButton<Subject>({
  action,
  subject,
  done,
  isPlain = false,
}: ActionButtonProps<Subject>): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useId()
  const send = async (fields: Fields): Promise<string | undefined> => {
    const result = await action.run(subject, fields)
    if (result.kind !== 'done') return problemOf(result)
    dialog.current?.close()
    done(action.toast)
    return undefined
  }
  const inputs = typeof action.fields === 'function' ? action.fields(subject) : action.fields
  const look = action.isDanger === true ? 'button danger fit' : isPlain ? 'button plain fit' : 'button fit'
  return (
    <>
      <button class={look} type="button" onClick={() => dialog.current?.showModal()}>
        {action.title}
      </button>
      <dialog class="dialog" ref={dialog} aria-labelledby={title}>
        <div class="stack">
          <h2 id={title}>{action.title}</h2>
          {action.text !== undefined && <p class="quiet">{action.text}</p>}
          <Form act={send} submit={action.title} cancel={() => dialog.current?.close()}>
            {inputs.map((field) => (
              <ActionInput key={field.name} field={field} />
            ))}
          </Form>
        </div>
      </dialog>
    </>
  )
}

const PLAIN_KINDS = {
  text: {},
  email: { type: 'email' },
  amount: { inputMode: 'decimal' },
  number: { inputMode: 'numeric' },
  day: { type: 'date' },
} as const

function ActionInput({ field: { kind = 'text', ...field } }: { readonly field: ActionField }): JSX.Element {
  if (kind === 'bank') return <BankField name={field.name} label={field.label} isOptional={field.isOptional ?? false} />
  if (kind === 'choice') return <ChoiceInput field={field} />
  if (kind === 'ticks') return <TickInputs field={field} />
  return <Field {...field} {...PLAIN_KINDS[kind]} />
}

type OptionsField = Omit<ActionField, 'kind'>

function ChoiceInput({
  field: { name, label, choices = [], value, isOptional = false },
}: {
  readonly field: OptionsField
}): JSX.Element {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name} required={!isOptional}>
        {choices.map(([one, title]) => (
          <option key={one} value={one} selected={one === value}>
            {title}
          </option>
        ))}
      </select>
    </div>
  )
}

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
