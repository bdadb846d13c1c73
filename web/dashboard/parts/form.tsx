import type { ComponentChildren, JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { TurningIcon } from '../../ui/icons.tsx'

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password' | 'date'
  readonly hint?: string
  readonly value?: string
  readonly autocomplete?:
    | 'username'
    | 'email'
    | 'name'
    | 'organization'
    | 'current-password'
    | 'new-password'
    | 'one-time-code'
  readonly inputMode?: 'numeric' | 'email' | 'decimal'
  readonly autofocus?: boolean
  readonly minLength?: number
  readonly isOptional?: boolean
  readonly readOnly?: boolean
}

/** A labelled form field. */
export function Field({
  name,
  label,
  type = 'text',
  hint,
  value,
  isOptional = false,
  ...rest
}: FieldProps): JSX.Element {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        // Preact types each input type separately; our props suit them all.
        {...({ type } as { readonly type: 'text' })}
        defaultValue={value ?? ''}
        required={!isOptional}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        {...rest}
      />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** A form's values by field name. */
export type Fields = Readonly<Record<string, string>>

interface FormProps {
  /** Submits the form; returns an error message if that failed. */
  readonly act: (fields: Fields) => Promise<string | undefined>
  readonly submit: string
  readonly cancel?: () => void
  readonly children: ComponentChildren
}

/** A form that submits once at a time and announces errors to screen readers. */
export function Form({ act, submit, cancel, children }: FormProps): JSX.Element {
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const send = async (form: HTMLFormElement): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    const fields = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]))
    const wrong = await act(fields)
    setBusy(false)
    setProblem(wrong)
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void send(event.currentTarget)
      }}
    >
      <div role="alert">{problem !== undefined && <p class="notice bad">{problem}</p>}</div>
      {children}
      <div class="buttons beside">
        {cancel !== undefined && (
          <button class="button plain" type="button" onClick={cancel}>
            Cancel
          </button>
        )}
        <button class="button" type="submit" aria-disabled={isBusy}>
          {isBusy && <TurningIcon />}
          {submit}
        </button>
      </div>
    </form>
  )
}

interface TextAreaProps {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly value: string
}

/** A labelled multi-line field. */
export function TextArea({ name, label, hint, value }: TextAreaProps): JSX.Element {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea id={id} name={name} rows={5} spellcheck={false} aria-describedby={`${id}-hint`} defaultValue={value} />
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  )
}
