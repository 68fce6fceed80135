import { endpoint } from '../endpoint.ts';
import { historyQuery, StateHistory } from '../stateHistory.ts';

export const readMyStateHistory = endpoint('readMyStateHistory', 'GET /devices/:deviceId/stateHistory', {
  summary:
    'Returns the history of a number in the reported state since the device joined the home: minimum, mean and maximum for each step of a time range. Without `property`, it returns all numbers, with at most 150 points each.',
  access: { right: 'view', of: 'homeDevice' },
  query: historyQuery,
  answer: StateHistory,
  reasons: ['DEVICE_NOT_FOUND', 'INVALID_RANGE'],
});
