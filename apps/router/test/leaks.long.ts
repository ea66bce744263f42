import { testLeaks } from './leaks.ts'

testLeaks(500)
