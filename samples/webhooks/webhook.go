// A webhook endpoint in Go without other packages: KOBO_SECRET_KEY=… go run webhook.go
package main

import (
	"crypto/hmac"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
)

const bodyBytesMax = 16_000_000

var secretKey = []byte(os.Getenv("KOBO_SECRET_KEY"))

type event struct {
	EventType string         `json:"eventType"`
	EventData map[string]any `json:"eventData"`
}

func receive(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, bodyBytesMax)) // the raw body, before parsing
	if err != nil {
		response.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	hash := hmac.New(sha512.New, secretKey)
	hash.Write(body)
	given, _ := hex.DecodeString(request.Header.Get("service-signature"))
	if !hmac.Equal(hash.Sum(nil), given) {
		response.WriteHeader(http.StatusUnauthorized)
		return
	}
	var received event
	if json.Unmarshal(body, &received) != nil {
		response.WriteHeader(http.StatusBadRequest)
		return
	}
	reference, _ := received.EventData["paymentReference"].(string) // not every event has one
	fmt.Println("received", received.EventType, reference)
	response.WriteHeader(http.StatusOK)
}

func main() {
	if len(secretKey) == 0 {
		panic("KOBO_SECRET_KEY is missing") // anyone can sign with an empty key
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		panic(err)
	}
	fmt.Println("listening on", listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, http.HandlerFunc(receive)))
}
