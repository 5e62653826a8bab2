package trigger

import (
	"encoding/json"

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

func fitsMessage(f validator.FieldLevel) bool {
	text, err := json.Marshal(f.Field().String())
	return err == nil && len(text) <= MaxReport
}
