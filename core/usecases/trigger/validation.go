package trigger

import (
	"encoding/json"
	"strconv"

	"github.com/go-playground/validator/v10"

	"bateleur/core/model"
)

func isActor(f validator.FieldLevel) bool {
	_, err := model.ParseActorID(f.Field().String())
	return err == nil
}

// isInvitableRole keeps the roles that decide out of invitations (CM-20-004).
func isInvitableRole(f validator.FieldLevel) bool {
	r, known := model.ParseRole(f.Field().String())
	return known && r != model.RoleCaseManager && r != model.RoleCaseOwner
}

func isActorType(f validator.FieldLevel) bool { return model.IsActorType(f.Field().String()) }

// fitsJSON bounds a text by what it takes in a message, not by its letters.
func fitsJSON(f validator.FieldLevel) bool {
	most, err := strconv.Atoi(f.Param())
	if err != nil {
		return false
	}
	text, err := json.Marshal(f.Field().String())
	return err == nil && len(text) <= most
}
