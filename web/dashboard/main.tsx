import { render } from 'preact'
import { Dashboard } from './shell/shell.tsx'

const root = document.getElementById('app')
if (root !== null) render(<Dashboard />, root)
