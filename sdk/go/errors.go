package kobo

import "errors"

// Refused is the error of a call that the gateway rejected. The call changed nothing.
type Refused struct {
	Message string
	Status  int
	// Code is the error code for programs, such as WRONG_OTP.
	Code         string
	ResponseCode string
	RequestId    string
}

func (e *Refused) Error() string { return e.Message }

// NoResponse is the error of a call without a response, so it is unknown whether the call took effect.
type NoResponse struct {
	Message string
	// Status is 0 if there was no response at all.
	Status int
	// IdempotencyKey gets the outcome of a retry without a second effect.
	IdempotencyKey string
}

func (e *NoResponse) Error() string { return e.Message }

// ErrInvalidSignature means that the request is not a signed event of this merchant's gateway. Respond with 401.
var ErrInvalidSignature = errors.New("the webhook signature is missing, too old or does not match")
