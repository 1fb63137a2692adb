export interface DebugEmitter {
  kind: 'records';
}
