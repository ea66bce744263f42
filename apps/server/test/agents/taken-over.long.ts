/** The same with more seeds. */
import './taken-over.test.ts'
