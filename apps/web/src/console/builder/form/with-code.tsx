import type { ReactNode } from 'react'

/** Descriptions of the contract mark names as \`code\`. */
export const withCode = (text: string): ReactNode =>
  text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))
