import { type MarkdownToJSX, default as ToJsx } from 'markdown-to-jsx/react'
import type { ComponentProps, PropsWithChildren } from 'react'
import './display.css'

/** A link opens in a new tab, so that the participant does not leave the study. */
const Link = ({ children, ...rest }: ComponentProps<'a'>) => (
  <a {...rest} target="_blank" rel="noopener noreferrer">
    {children}
  </a>
)

/** One level lower than written, because the page has its own h1; without an id, which two texts could share. */
const heading = (Tag: 'h2' | 'h3' | 'h4' | 'h5' | 'h6') =>
  function Heading({ children }: PropsWithChildren) {
    return <Tag dir="auto">{children}</Tag>
  }

/** Each by its own letters: an Arabic text on an English page, and the other way round. */
const byItsLetters = { props: { dir: 'auto' } }

const Wrapper = ({ children }: PropsWithChildren) => <div className="markdown">{children}</div>

const options: MarkdownToJSX.Options = {
  // Researchers' texts hold variables that participants wrote: markup in them must stay text.
  disableParsingRawHTML: true,
  forceBlock: true,
  forceWrapper: true,
  wrapper: Wrapper,
  overrides: {
    a: Link,
    h1: heading('h2'),
    h2: heading('h3'),
    h3: heading('h4'),
    h4: heading('h5'),
    h5: heading('h6'),
    h6: heading('h6'),
    p: byItsLetters,
    ul: byItsLetters,
    ol: byItsLetters,
    blockquote: byItsLetters,
  },
}

export const Markdown = ({ text }: { text: string }) => <ToJsx options={options}>{text}</ToJsx>
