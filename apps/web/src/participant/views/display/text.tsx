import { type SettledProps, withSettings } from '../settings/with-settings.tsx'
import { Markdown } from './markdown.tsx'
import './display.css'

const Text = ({ settings: { text, format } }: SettledProps<'text'>) =>
  format === 'plain' ? <p className="plain-text">{text}</p> : <Markdown text={text} />

export const TextView = withSettings('text', Text)
